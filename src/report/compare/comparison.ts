import type { ClauseRow, GateRow, Report } from '../model.js'
import type { ChangeKind } from './change-kind.js'
import { type FigureChange, figuresOf, type NoiseFloors, type UnchangedFigure } from './compare-figures.js'

/** A clause, gate or grade that is another than in every baseline. */
export interface VerdictChange {
  readonly subject: 'clause' | 'gate' | 'grade'
  readonly id: string
  readonly sentence: string
  /** What the baselines said, each verdict once. */
  readonly before: readonly string[]
  readonly now: string
  readonly reason: string
  readonly kind: ChangeKind
}

export interface ComparedRun {
  readonly id: string
  readonly startedAt: string
  readonly target: string
  readonly outcome: Report['outcome']
  readonly headline: string
}

/** What a run changed against its baselines. */
export interface Comparison {
  readonly scenario: string
  readonly timeScale: number
  readonly baselines: readonly ComparedRun[]
  readonly run: ComparedRun
  readonly verdicts: readonly VerdictChange[]
  readonly figures: readonly FigureChange[]
  /** The figures that all of the runs have and that did not change, or say nothing of the target. */
  readonly unchanged: readonly UnchangedFigure[]
  /** How many figures were held against the baselines, the unchanged ones included. */
  readonly figuresCompared: number
  readonly regressed: boolean
}

type ComparedVerdict = Pick<ClauseRow | GateRow, 'verdict' | 'waived'>

const wordOf = ({ verdict, waived }: ComparedVerdict): string => (waived === null ? verdict : 'waived')

/** The kind of a change of verdict; null where some baseline said the same, or the change says nothing. */
export const verdictKind = (before: readonly string[], now: string, isBinding: boolean): ChangeKind | null => {
  const all = (...words: string[]) => before.every((each) => words.includes(each))
  if (before.length === 0 || before.includes(now)) return null
  // A failure that one baseline has shown already is no news, waived or not.
  if (now === 'fail') return before.includes('waived') ? 'other' : 'worse'
  if (now === 'waived') return before.includes('fail') ? null : 'other'
  if (now === 'pass') return 'better'
  if (all('pass')) return isBinding ? 'worse' : 'other'
  return all('fail', 'waived') ? 'other' : null
}

const clauseChanges = (baselines: readonly Report[], run: Report): VerdictChange[] =>
  run.clauses.flatMap((clause) => {
    if (clause.level === 'observe') return []
    const before = baselines.flatMap(({ clauses }) => clauses.filter(({ id }) => id === clause.id).map(wordOf))
    const now = wordOf(clause)
    const kind = verdictKind(before, now, clause.level === 'must')
    const { id, sentence, reason } = clause
    return kind === null ? [] : [{ subject: 'clause', id, sentence, before: [...new Set(before)], now, reason, kind }]
  })

const gateChanges = (baselines: readonly Report[], run: Report): VerdictChange[] =>
  run.gates.flatMap((gate) => {
    const before = baselines.flatMap(({ gates }) => gates.filter(({ id }) => id === gate.id).map(wordOf))
    const now = wordOf(gate)
    const kind = verdictKind(before, now, true)
    const { id, sentence } = gate
    const reason = gate.id === 'level' ? gate.value : `${gate.value}, where ${gate.limit} is the most`
    return kind === null ? [] : [{ subject: 'gate', id, sentence, before: [...new Set(before)], now, reason, kind }]
  })

const refOf = ({ run, target, outcome, headline }: Report): ComparedRun => ({
  id: run.id,
  startedAt: run.startedAt,
  target: target.baseUrl,
  outcome,
  headline,
})

/**
 * Holds a run against one or more baselines of the same scenario and time scale. Several baselines are the noise: only
 * what none of them has shown is a change, and a figure has to lie beyond all of them by the floors besides.
 */
export const compareRuns = (baselines: readonly Report[], run: Report, floors: NoiseFloors = {}): Comparison => {
  const verdicts = [...clauseChanges(baselines, run), ...gateChanges(baselines, run)]
  const { changed, unchanged, held } = figuresOf(baselines, run, floors)
  return {
    scenario: run.run.scenario,
    timeScale: run.run.timeScale,
    baselines: baselines.map(refOf),
    run: refOf(run),
    verdicts,
    figures: changed,
    unchanged,
    figuresCompared: held,
    regressed: [...verdicts, ...changed].some(({ kind }) => kind === 'worse'),
  }
}
