import {
  type ChangeKind,
  type ComparedRun,
  type Comparison,
  type VerdictChange,
  verdictKind,
} from '../../report/comparison.js'
import { letters } from '../checks/grade.js'
import type { ClientReport } from './model.js'

type ComparedGrade = ClientReport['grade']

/** `B`, `none`, or `F to B` where it was left open. */
const gradeInWords = ({ letter, best, worst }: ComparedGrade): string => letter ?? `${worst} to ${best}`

/** Both ends of a grade as numbers, more being worse; a client that gives nothing to grade is below them all. */
const rangeOf = ({ letter, best, worst }: ComparedGrade): { readonly best: number; readonly worst: number } =>
  letter === 'none'
    ? { best: letters.length, worst: letters.length }
    : { best: letters.indexOf(best), worst: letters.indexOf(worst) }

/** A grade has changed for certain only where the spans have nothing in common. */
const gradeKind = (before: readonly ComparedGrade[], now: ComparedGrade): ChangeKind | null => {
  if (before.map(gradeInWords).includes(gradeInWords(now))) return null
  const { best, worst } = rangeOf(now)
  const ranges = before.map(rangeOf)
  if (ranges.every((each) => best > each.worst)) return 'worse'
  return ranges.every((each) => worst < each.best) ? 'better' : 'other'
}

const gradeChange = (baselines: readonly ClientReport[], { grade, headline }: ClientReport): VerdictChange[] => {
  const before = baselines.map((each) => each.grade)
  const kind = gradeKind(before, grade)
  if (kind === null) return []
  return [
    {
      subject: 'grade',
      id: 'grade',
      sentence: 'How well it backs off, from A to F.',
      before: [...new Set(before.map(gradeInWords))],
      now: gradeInWords(grade),
      reason: headline,
      kind,
    },
  ]
}

/** A proof that is lost is no regression by itself: with a few jittered waits, chance may leave a clause open. */
const clauseChanges = (baselines: readonly ClientReport[], { clauses }: ClientReport): VerdictChange[] =>
  clauses.flatMap(({ id, sentence, verdict, reason }) => {
    const before = baselines.flatMap((each) => each.clauses.filter((clause) => clause.id === id)).map((c) => c.verdict)
    const kind = verdictKind(before, verdict, false)
    return kind === null
      ? []
      : [{ subject: 'clause' as const, id, sentence, before: [...new Set(before)], now: verdict, reason, kind }]
  })

const refOf = ({ run, client, outcome, headline }: ClientReport): ComparedRun => ({
  id: run.id,
  startedAt: run.startedAt,
  target: client.command,
  outcome,
  headline,
})

/** Holds an audit of a client against one or more earlier ones of the same cases: its grade, and its clauses. */
export const compareAudits = (baselines: readonly ClientReport[], audit: ClientReport): Comparison => {
  const verdicts = [...gradeChange(baselines, audit), ...clauseChanges(baselines, audit)]
  return {
    scenario: audit.run.scenario,
    timeScale: 1,
    baselines: baselines.map(refOf),
    run: refOf(audit),
    verdicts,
    figures: [],
    unchanged: [],
    figuresCompared: 0,
    regressed: verdicts.some(({ kind }) => kind === 'worse'),
  }
}
