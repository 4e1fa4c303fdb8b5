import type { Evidence } from '../evidence/evidence.js'
import { onceFor } from '../kit/once-for.js'
import { countBelow, countUpTo } from '../kit/sorted-counts.js'
import { outcomes } from '../readings/history.js'
import type { RateReading } from '../readings/readings.js'
import { metWindowEdge } from '../readings/window-edge.js'
import { type JudgedKey, judgedKeys } from './judged-keys.js'
import { wholeQuota } from './shown-breach.js'

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
 * Whether what a refusal shows to be left may have come back to the quota while it was under way: all of it where it met
 * the edge of two windows; else no more than was admitted a window before, or flows into a bucket in that time. A limiter
 * that decides first and looks up its headers then may refuse, and show so much left. With 60 in 6 s, of which two were
 * admitted 6 s before a refusal that took 90 ms: two.
 */
export const cameBackMeanwhile = (evidence: Evidence, reading: RateReading, left: number): boolean => {
  const { key, sentAt, receivedAt } = reading
  const found = key === null ? undefined : admissions(evidence).get(key)
  if (!found) return false
  const [{ agreed }, { sentMs, receivedMs }] = found
  if (left === wholeQuota(agreed).units && metWindowEdge(evidence, reading)) return true
  const expired = countUpTo(sentMs, receivedAt - agreed.windowMs) - countBelow(receivedMs, sentAt - agreed.windowMs)
  const flownIn = Math.floor(((receivedAt - sentAt) * agreed.limit) / agreed.windowMs)
  return left <= Math.max(expired, flownIn)
}
