import type { CheckOf } from '../../checks/law/check.js'
import { crashed } from '../../checks/law/unplayed.js'
import { type Clause, type ClauseId, clauseOf, type Level } from '../../contract/clauses.js'
import { combine } from '../../verdict/combine.js'
import type { Finding, Verdict } from '../../verdict/verdict.js'

/** What every check is, whatever it reads. */
type AnyCheck = CheckOf<never>

/** A check, and what it came to. */
export interface CheckResult<C extends AnyCheck = AnyCheck> {
  readonly check: C
  readonly level: Level
  readonly finding: Finding
}

/** A clause, and what its checks came to together. */
export interface ClauseResult<C extends AnyCheck = AnyCheck> {
  readonly clause: Clause & { readonly id: ClauseId }
  readonly verdict: Verdict
  readonly results: readonly CheckResult<C>[]
}

/** What evidence comes to by all checks. */
export interface Judged<C extends AnyCheck = AnyCheck> {
  readonly checks: readonly CheckResult<C>[]
  readonly clauses: readonly ClauseResult<C>[]
  /** Whether a check has crashed, which is a fault of the harness. */
  readonly crashed: boolean
}

const gravest: Readonly<Record<Level, number>> = { must: 0, should: 1, observe: 2 }

/** A check is as grave as the gravest of its clauses, unless it says that it is milder. */
const levelOf = (check: AnyCheck): Level =>
  check.level ?? check.clauses.map((id) => clauseOf(id).level).reduce((a, b) => (gravest[a] <= gravest[b] ? a : b))

/** Where another check of the clause passes, one that yields and found nothing telling is not heard. */
const withoutYielding = (results: readonly CheckResult[]): readonly CheckResult[] => {
  const isProven = results.some(({ finding }) => finding.verdict === 'pass')
  return isProven ? results.filter(({ check, finding }) => !(check.yields && finding.code === 'not-told')) : results
}

/** Of checks of several levels, those that only observe are not heard where the clause is more than an observation. */
const verdictOf = (clause: Clause, results: readonly CheckResult[]): Verdict => {
  const binding = clause.level === 'observe' ? results : results.filter(({ level }) => level !== 'observe')
  const telling = withoutYielding(binding.length > 0 ? binding : results)
  return combine(telling.map(({ finding }) => finding.verdict))
}

/** Asks each check by `judgeOne`, and tells what they come to for each of the clauses. One that crashes spoils no other. */
export const judgeChecks = <C extends AnyCheck>(
  checks: readonly C[],
  clauses: readonly ClauseResult['clause'][],
  judgeOne: (check: C) => Finding,
): Judged<C> => {
  let anyCrashed = false
  const judged = checks.map((check): CheckResult<C> => {
    const level = levelOf(check)
    try {
      return { check, level, finding: judgeOne(check) }
    } catch (error) {
      anyCrashed = true
      return { check, level, finding: crashed(error) }
    }
  })
  const ofClauses = clauses.map((clause) => {
    const results = judged.filter(({ check }) => check.clauses.includes(clause.id))
    return { clause, results, verdict: verdictOf(clause, results) }
  })
  return { checks: judged, clauses: ofClauses, crashed: anyCrashed }
}
