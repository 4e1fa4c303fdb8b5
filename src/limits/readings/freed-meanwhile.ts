import type { Evidence } from '../../evidence/evidence.js'
import { onceFor } from '../../kit/once-for.js'
import { countBelow, countUpTo } from '../counting/sorted-counts.js'
import { outcomes } from '../history.js'
import { type JudgedKey, judgedKeys } from '../judged-keys.js'
import type { RateReading } from './rate-readings.js'

/** When the admitted requests of a key were sent and answered, each in ascending order. */
interface Admissions {
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
}

const admissionsOf = ({ record, history }: JudgedKey): Admissions => {
  const isAdmitted = (_: number, i: number) => history.outcome[i] === outcomes.admitted
  return { sentMs: record.sentMs.filter(isAdmitted).sort(), receivedMs: record.receivedMs.filter(isAdmitted).sort() }
}

const admissions = onceFor(
  (evidence: Evidence): ReadonlyMap<string, readonly [JudgedKey, Admissions]> =>
    new Map(judgedKeys(evidence).map((key) => [key.name, [key, admissionsOf(key)]])),
)

/**
 * How many requests may have come back to the quota while an answer was under way: those that were admitted a window
 * before, and what flows into a bucket in that time. A limiter that decides first and looks up its headers then may
 * refuse, and show so many left. With 60 in 6 s, of which two were admitted 6 s before a refusal that took 90 ms: two.
 */
export const freedMeanwhile = (evidence: Evidence, { key, sentAt, receivedAt }: RateReading): number => {
  const found = key === null ? undefined : admissions(evidence).get(key)
  if (!found) return 0
  const [{ agreed }, { sentMs, receivedMs }] = found
  const expired = countUpTo(sentMs, receivedAt - agreed.windowMs) - countBelow(receivedMs, sentAt - agreed.windowMs)
  const flownIn = Math.floor(((receivedAt - sentAt) * agreed.limit) / agreed.windowMs)
  return Math.max(expired, flownIn)
}
