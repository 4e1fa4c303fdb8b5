import { type Figure, type FigureName, figureNames, figures } from '../contract/figures.js'
import { isExcluded } from './certificate.js'
import { measurePlan, measureRun } from './model/measure.js'
import type { ClauseRow, GateRow, Report } from './model.js'
import { plansOf } from './quotas.js'

/** `worse` is a regression; `other` is a change that is neither better nor worse. */
export type ChangeKind = 'worse' | 'better' | 'other'

/** A figure that the run has, or that every baseline had. */
export interface ComparedFigure {
  readonly figure: FigureName
  readonly plan: string | null
  readonly sentence: string
  /** The lowest and the highest of the baselines. */
  readonly low: number
  readonly high: number
  /** Null if the run did not measure it. */
  readonly value: number | null
}

/** Noise floors that override those of the figures: a share, and an amount for figures in milliseconds. */
export interface NoiseFloors {
  readonly share?: number | undefined
  readonly amountMs?: number | undefined
}

/** From this many baselines on, their own spread shows how much a time varies in their environment. */
const enoughBaselines = 3

/** With fewer, no time counts against a run: busy machines have made latencies of one server grow twelvefold. */
const unknownNoise = { share: 9, amount: 1_000 }

/** The floors of a figure: its own, wider for times with few baselines; the user's override them, except for chance. */
const floorsOf = ({ unit, noise }: Figure, baselines: number, given: NoiseFloors) => {
  if (noise === null || unit !== 'ms' || noise.byChance) return noise
  const isKnown = baselines >= enoughBaselines || given.share !== undefined || given.amountMs !== undefined
  const own = isKnown ? noise : unknownNoise
  return { share: given.share ?? own.share, amount: given.amountMs ?? own.amount }
}

const figureKind = (
  floors: { readonly share: number; readonly amount: number } | null,
  { low, high }: { low: number; high: number },
  value: number | null,
): ChangeKind | null => {
  if (floors === null) return null
  if (value === null) return 'other'
  const { share, amount } = floors
  if (value > high * (1 + share) && value > high + amount) return 'worse'
  return value < low * (1 - share) && value < low - amount ? 'better' : null
}

/** Whether the figure's breach is known and waived in the run: then a high value is no news. */
const isWaived = (run: Report, name: FigureName): boolean => {
  const said = run.clauses.filter(({ id }) => figures[name].clauses.some((each) => each === id))
  const failed = said.filter(({ verdict }) => verdict === 'fail')
  return failed.length > 0 && failed.every(({ waived }) => waived !== null)
}

/** The figure's values in the baselines and in the run, and the kind of change; undefined if either lacks it. */
const compared = (
  baselines: readonly Report[],
  run: Report,
  { name, plan }: { readonly name: FigureName; readonly plan: string | null },
  floors: NoiseFloors,
): (ComparedFigure & { readonly kind: ChangeKind | null }) | undefined => {
  const read = (report: Report) => (plan === null ? measureRun(report, name) : measurePlan(report, name, plan))
  const before = baselines.map(read).filter((value) => value !== null)
  const value = read(run)
  // If only some baselines measured it, it may be missing here too.
  if (before.length === 0 || (value === null && before.length < baselines.length)) return undefined
  const band = { low: Math.min(...before), high: Math.max(...before) }
  const { sentence } = figures[name]
  const moved = figureKind(floorsOf(figures[name], baselines.length, floors), band, value)
  const kind = moved === 'worse' && isWaived(run, name) ? 'other' : moved
  return { figure: name, plan, sentence, ...band, value, kind }
}

/** Every figure of the runs, on each plan: those that changed, the others, and how many were compared. */
const figuresOf = (baselines: readonly Report[], run: Report, floors: NoiseFloors) => {
  const plans = [...new Set([...baselines, run].flatMap(plansOf))]
  const slots = figureNames.flatMap((name) =>
    (figures[name].of === 'plan' ? plans : [null]).map((plan) => ({ name, plan })),
  )
  const all = slots.flatMap((slot) => compared(baselines, run, slot, floors) ?? [])
  // A change lies outside what the baselines and the noise floors allow.
  const changed = all.flatMap(({ kind, ...each }) => (kind === null ? [] : [{ ...each, kind }]))
  // A figure that is never compared says nothing about the target, so it is only shown.
  const unchanged = all.flatMap(({ kind, value, ...each }) =>
    kind === null && value !== null ? [{ ...each, value, isHeld: figures[each.figure].noise !== null }] : [],
  )
  return { changed, unchanged, held: changed.length + unchanged.filter(({ isHeld }) => isHeld).length }
}

/** A clause, gate or grade that differs from every baseline, or something that a run no longer excludes. */
export interface VerdictChange {
  readonly subject: 'clause' | 'gate' | 'grade' | 'certificate'
  readonly id: string
  readonly sentence: string
  /** The baselines' verdicts, each once. */
  readonly before: readonly string[]
  readonly now: string
  readonly reason: string
  readonly kind: ChangeKind
}

/** A report row with a verdict; an audit's row cannot be waived. */
interface ComparedRow extends Pick<ClauseRow | GateRow, 'id' | 'sentence' | 'verdict'> {
  readonly waived?: ClauseRow['waived']
}

const wordOf = ({ verdict, waived }: ComparedRow): string => (waived ? 'waived' : verdict)

/** The kind of a verdict's change; null if some baseline said the same, or the change means nothing. */
const verdictKind = (before: readonly string[], now: string, isBinding: boolean): ChangeKind | null => {
  const all = (...words: string[]) => before.every((each) => words.includes(each))
  if (before.length === 0 || before.includes(now)) return null
  // A failure that a baseline already showed is no news, waived or not.
  if (now === 'fail') return before.includes('waived') ? 'other' : 'worse'
  if (now === 'waived') return before.includes('fail') ? null : 'other'
  if (now === 'pass') return 'better'
  if (all('pass')) return isBinding ? 'worse' : 'other'
  return all('fail', 'waived') ? 'other' : null
}

/** The rows whose verdict differs from every baseline; losing the pass of a binding one is a regression. */
export const rowChanges = <R extends ComparedRow>(
  subject: 'clause' | 'gate',
  [run, ...baselines]: readonly (readonly R[])[],
  reasonOf: (row: R) => string,
  isBinding: (row: R) => boolean,
): VerdictChange[] =>
  run.flatMap((row) => {
    const before = baselines.flatMap((rows) => rows.filter(({ id }) => id === row.id).map(wordOf))
    const now = wordOf(row)
    const kind = verdictKind(before, now, isBinding(row))
    const { id, sentence } = row
    const change = { subject, id, sentence, before: [...new Set(before)], now, reason: reasonOf(row) }
    return kind === null ? [] : [{ ...change, kind }]
  })

const gateReason = ({ id, limit, value }: GateRow): string =>
  id === 'level' || limit === 'excluded' ? value : `${value}, but at most ${limit} is allowed`

/** What every baseline excluded on a key but the run does not: less is known, but the target may be as good as before. */
const certificateChanges = (baselines: readonly Report[], run: Report): VerdictChange[] =>
  (baselines[0]?.certificates ?? []).flatMap(({ plan, quota, excluded }) => {
    const isExcludedIn = (report: Report, defect: string): boolean =>
      report.certificates.some((row) => row.plan === plan && row.quota === quota && isExcluded(report, row, defect))
    const lost = excluded.filter(
      ({ defect }) => baselines.every((each) => isExcludedIn(each, defect)) && !isExcludedIn(run, defect),
    )
    const asked = run.quotas.some((each) => each.plan === plan && each.window === quota && each.verdict !== 'fail')
    if (lost.length === 0 || !asked) return []
    const certificate: VerdictChange = {
      subject: 'certificate',
      id: `excludes (${plan})`,
      sentence: 'Defects of a limiter that the run would have shown on this key.',
      before: ['excluded'],
      now: 'open',
      reason: `No longer excluded: ${lost.map(({ defect }) => defect).join(', ')}.`,
      kind: 'other',
    }
    return [certificate]
  })

/** Something comparable: a run, or an audit of a client. */
interface Compared extends Pick<Report, 'outcome' | 'headline'> {
  readonly run: Pick<Report['run'], 'id' | 'startedAt' | 'scenario'> & Partial<Pick<Report['run'], 'timeScale'>>
}

const noFigures: ReturnType<typeof figuresOf> = { changed: [], unchanged: [], held: 0 }

/** A run's changes against its baselines, with references to these; `targetOf` names a run's target. */
export const comparisonOf = <R extends Compared>(
  [run, ...baselines]: readonly [R, ...R[]],
  targetOf: (report: R) => string,
  verdicts: readonly VerdictChange[],
  { changed, unchanged, held } = noFigures,
) => {
  const refOf = (report: R) => {
    const { run, outcome, headline } = report
    return { id: run.id, startedAt: run.startedAt, target: targetOf(report), outcome, headline }
  }
  return {
    scenario: run.run.scenario,
    timeScale: run.run.timeScale ?? 1,
    baselines: baselines.map(refOf),
    run: refOf(run),
    verdicts,
    figures: changed,
    // The figures that all runs have and that did not change, or that say nothing about the target.
    unchanged,
    // How many were compared with the baselines, including unchanged ones.
    figuresCompared: held,
    regressed: [...verdicts, ...changed].some(({ kind }) => kind === 'worse'),
  }
}

export type Comparison = ReturnType<typeof comparisonOf>

/** Compares a run with baselines: a change is what none of them shows; figures must also exceed the floors. */
export const compareRuns = (baselines: readonly Report[], run: Report, floors: NoiseFloors = {}): Comparison => {
  const all = [run, ...baselines] as const
  const binding = all.map(({ clauses }) => clauses.filter(({ level }) => level !== 'observe'))
  const gates = all.map((each) => each.gates)
  const verdicts = [
    ...rowChanges(
      'clause',
      binding,
      ({ reason }) => reason,
      ({ level }) => level === 'must',
    ),
    ...rowChanges('gate', gates, gateReason, () => true),
    ...certificateChanges(baselines, run),
  ]
  return comparisonOf(all, ({ target }) => target.baseUrl, verdicts, figuresOf(baselines, run, floors))
}
