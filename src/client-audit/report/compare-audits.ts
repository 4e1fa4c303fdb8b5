import {
  type ChangeKind,
  type Comparison,
  comparisonOf,
  rowChanges,
  type VerdictChange,
} from '../../report/comparison.js'
import { letters } from '../checks/grade.js'
import type { ClientReport } from './model.js'

type ComparedGrade = ClientReport['grade']

/** `B`, `none`, or `F to B` if it is open. */
const gradeInWords = ({ letter, best, worst }: ComparedGrade): string => letter ?? `${worst} to ${best}`

/** Both ends of a grade as numbers, higher is worse; a client without anything to grade is worst of all. */
const rangeOf = ({ letter, best, worst }: ComparedGrade): { readonly best: number; readonly worst: number } =>
  letter === 'none'
    ? { best: letters.length, worst: letters.length }
    : { best: letters.indexOf(best), worst: letters.indexOf(worst) }

/** A grade has changed for certain only if the ranges do not overlap. */
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
  const sentence = 'How well it backs off, from A to F.'
  const seen = { before: [...new Set(before.map(gradeInWords))], now: gradeInWords(grade), reason: headline }
  return [{ subject: 'grade', id: 'grade', sentence, ...seen, kind }]
}

/** Compares a client's audit with one or more earlier ones of the same cases: its grade and its clauses. */
export const compareAudits = (baselines: readonly ClientReport[], audit: ClientReport): Comparison => {
  const all = [audit, ...baselines] as const
  // A lost proof alone is no regression: with a few jittered waits, chance may leave a clause open.
  const clauses = rowChanges(
    'clause',
    all.map((each) => each.clauses),
    ({ reason }) => reason,
    () => false,
  )
  return comparisonOf(all, ({ client }) => client.command, [...gradeChange(baselines, audit), ...clauses])
}
