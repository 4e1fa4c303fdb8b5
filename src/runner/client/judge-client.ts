import { type Schedule, scheduleOf } from '../../backoff/schedule.js'
import { clientChecks } from '../../checks/client/all.js'
import { type ClientCheckResult, clientEvidence } from '../../checks/client/client-check.js'
import { type ClauseId, clauseOf, clauses } from '../../contract/clauses.js'
import type { Audit } from '../../evidence/arrivals.js'
import { combine } from '../../verdict/combine.js'
import type { Verdict } from '../../verdict/verdict.js'
import { type Grade, gradeOf } from './grade.js'
import { furtherReasons } from './grade-reasons.js'

export interface ClientClauseResult {
  readonly id: ClauseId
  readonly verdict: Verdict
  readonly results: readonly ClientCheckResult[]
}

/** What an audit comes to. */
export interface JudgedClient {
  readonly results: readonly ClientCheckResult[]
  readonly clauses: readonly ClientClauseResult[]
  readonly grade: Grade
  readonly schedule: Schedule
}

/** Judges an audit, live or saved: sends nothing, reads no clock, and says the same of the same arrivals. */
export const judgeClient = (audit: Audit): JudgedClient => {
  const evidence = clientEvidence(audit)
  const results = clientChecks.map((check) => ({
    check,
    level: check.level ?? clauseOf(check.clause).level,
    finding: check.judge(evidence),
  }))
  const ofClients = clauses.filter(({ id }) => id.startsWith('CLIENT-'))
  return {
    results,
    clauses: ofClients.map(({ id }) => {
      const judging = results.filter(({ check, level }) => check.clause === id && level !== 'observe')
      return { id, verdict: combine(judging.map(({ finding }) => finding.verdict)), results: judging }
    }),
    grade: gradeOf(results, furtherReasons(evidence)),
    schedule: scheduleOf(evidence),
  }
}
