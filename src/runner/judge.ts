import { checks as allChecks } from '../checks/all.js'
import type { Check } from '../checks/law/check.js'
import { crashed, incomplete, obstacle } from '../checks/law/unplayed.js'
import { type Clause, type ClauseId, clauseOf, clauses, type Level } from '../contract/clauses.js'
import type { Evidence } from '../evidence/evidence.js'
import { combine } from '../verdict/combine.js'
import type { Finding, Verdict } from '../verdict/verdict.js'

export interface CheckResult {
  readonly check: Check
  readonly level: Level
  readonly finding: Finding
}

export interface ClauseResult {
  readonly clause: Clause & { readonly id: ClauseId }
  readonly verdict: Verdict
  readonly results: readonly CheckResult[]
}

export interface Judged {
  readonly checks: readonly CheckResult[]
  readonly clauses: readonly ClauseResult[]
  readonly crashed: boolean
}

const gravest: Readonly<Record<Level, number>> = { must: 0, should: 1, observe: 2 }

/** A check is as grave as the gravest of its clauses, unless it says that it is milder. */
const levelOf = (check: Check): Level =>
  check.level ?? check.clauses.map((id) => clauseOf(id).level).reduce((a, b) => (gravest[a] <= gravest[b] ? a : b))

const judgeOne = (check: Check, evidence: Evidence): { finding: Finding; crashed: boolean } => {
  const inTheWay = obstacle(check, evidence)
  if (inTheWay) return { finding: inTheWay, crashed: false }
  try {
    const finding = check.judge(evidence)
    const doubt = finding.verdict === 'fail' ? undefined : incomplete(check, evidence)
    return { finding: doubt ? { ...doubt, witnesses: finding.witnesses } : finding, crashed: false }
  } catch (error) {
    return { finding: crashed(error), crashed: true }
  }
}

/** Where another check of the clause passes, one that yields and found nothing telling is not heard. */
const withoutYielding = (results: readonly CheckResult[]): readonly CheckResult[] => {
  const isProven = results.some(({ finding }) => finding.verdict === 'pass')
  return isProven ? results.filter(({ check, finding }) => !(check.yields && finding.code === 'not-told')) : results
}

/** Judges the evidence of a run, live or read back: the same evidence gives the same verdicts. */
export const judge = (evidence: Evidence, checks: readonly Check[] = allChecks): Judged => {
  const judged = checks.map((check) => ({ check, level: levelOf(check), ...judgeOne(check, evidence) }))
  const ofClauses = clauses
    .filter(({ id }) => !id.startsWith('CLIENT-'))
    .map((clause) => {
      const results = judged.filter(({ check }) => check.clauses.includes(clause.id))
      const binding = clause.level === 'observe' ? results : results.filter(({ level }) => level !== 'observe')
      const telling = withoutYielding(binding.length > 0 ? binding : results)
      return { clause, results, verdict: combine(telling.map(({ finding }) => finding.verdict)) }
    })
  return { checks: judged, clauses: ofClauses, crashed: judged.some(({ crashed }) => crashed) }
}
