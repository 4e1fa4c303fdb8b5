import { clauses } from '../../contract/clauses.js'
import type { Audit } from '../../evidence/arrivals.js'
import { type Judged, judgeChecks } from '../../run/judging/judge.js'
import { clientChecks } from '../checks/all.js'
import type { ClientCheck } from '../checks/client-check.js'
import { clientEvidence } from '../waits/client-evidence.js'
import { type Schedule, scheduleOf } from '../waits/schedule.js'
import { type Grade, gradeOf } from './grade.js'
import { furtherReasons } from './grade-reasons.js'

/** What an audit comes to. */
export interface JudgedClient extends Judged<ClientCheck> {
  readonly grade: Grade
  readonly schedule: Schedule
}

const clausesOfClient = clauses.filter(({ id }) => id.startsWith('CLIENT-'))

/** Judges an audit, live or saved: sends nothing, reads no clock, and says the same of the same arrivals. */
export const judgeClient = (audit: Audit, checks: readonly ClientCheck[] = clientChecks): JudgedClient => {
  const evidence = clientEvidence(audit)
  const judged = judgeChecks(checks, clausesOfClient, (check) => check.judge(evidence))
  const grade = gradeOf(judged.checks, furtherReasons(evidence, judged.checks))
  return { ...judged, grade, schedule: scheduleOf(evidence) }
}
