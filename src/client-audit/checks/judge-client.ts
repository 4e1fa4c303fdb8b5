import { clauses } from '../../contract/clauses.js'
import type { Audit } from '../../evidence/arrivals.js'
import { judgeChecks } from '../../run/judge.js'
import { scheduleOf } from '../waits/schedule.js'
import { clientEvidence } from '../waits/story.js'
import { attemptsBounded, bearerKey, unusableWithoutHammering } from './attempts.js'
import type { ClientCheck } from './client-check.js'
import { datesKept, obsoleteDates } from './dates.js'
import { gradeOf } from './grade.js'
import { furtherReasons } from './grade-reasons.js'
import { ownWaitsJittered, waitsGrow, workersSpread } from './own-waits.js'
import { keptAfter503, waitsAsTold } from './waits-as-told.js'

export const clientChecks: readonly ClientCheck[] = [
  waitsAsTold,
  keptAfter503,
  waitsGrow,
  ownWaitsJittered,
  attemptsBounded,
  workersSpread,
  datesKept,
  obsoleteDates,
  unusableWithoutHammering,
  bearerKey,
]

const clausesOfClient = clauses.filter(({ id }) => id.startsWith('CLIENT-'))

/** Judges an audit, live or saved: sends nothing, reads no clock, and gives the same result for the same arrivals. */
export const judgeClient = (audit: Audit, checks: readonly ClientCheck[] = clientChecks) => {
  const evidence = clientEvidence(audit)
  const judged = judgeChecks(checks, clausesOfClient, (check) => check.judge(evidence))
  const grade = gradeOf(judged.checks, furtherReasons(evidence, judged.checks))
  return { ...judged, grade, schedule: scheduleOf(evidence) }
}
