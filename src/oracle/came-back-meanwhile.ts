import type { Evidence } from '../evidence/evidence.js'
import { countUpTo, placesOf, risingMaxima } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { outcomes } from '../readings/history.js'
import { mostIn, mostWithin, passageOf } from '../readings/passage.js'
import { viewOf } from '../readings/quota-views.js'
import { type RateReading, rateReadings } from '../readings/readings.js'
import { runClock } from '../readings/run-clock.js'
import { type JudgedKey, judgedKeys } from './judged-keys.js'
import { wholeQuota } from './shown-breach.js'

const resetOf = ({ headers: { reset } }: RateReading): number => (reset.state === 'number' ? reset.value : Number.NaN)

/** By key, the answers that show a Reset, in order of receipt: when each came, and the latest Reset by then. */
const shownResets = onceFor((evidence: Evidence) => {
  const byKey = new Map<string, [receivedMs: number, reset: number][]>()
  for (const each of rateReadings(evidence)) {
    const shown = byKey.get(each.key ?? '') ?? []
    if (!Number.isNaN(resetOf(each))) shown.push([each.receivedAt, resetOf(each)])
    byKey.set(each.key ?? '', shown)
  }
  return new Map(
    [...byKey].map(([key, shown]) => {
      shown.sort(([one], [other]) => one - other)
      const receivedMs = Float64Array.from(shown, ([ms]) => ms)
      return [key, { receivedMs, latest: risingMaxima(Float64Array.from(shown, ([, reset]) => reset)) }]
    }),
  )
})

/** Whether an answer's Reset is at least half a window later than any received before its request was sent. */
const hasBegun = (evidence: Evidence, reading: RateReading): boolean => {
  const shown = shownResets(evidence).get(reading.key ?? '')
  const before = shown ? countUpTo(shown.receivedMs, reading.sentAt) : 0
  if (!shown || before === 0) return false
  return resetOf(reading) - shown.latest[before - 1] >= viewOf(evidence).windowMs / 2_000
}

/** Whether an answer's Reset, perhaps rounded up by a second, may have passed when the answer came. */
const mayHaveEnded = (evidence: Evidence, reading: RateReading): boolean => {
  const clock = runClock(evidence)
  return (resetOf(reading) - 1) * 1_000 - (clock.likely ?? clock).to <= reading.receivedAt
}

/** The admitted requests of a key, by the times of its record. */
const admissionsOf = ({ record, history: { outcome } }: Pick<JudgedKey, 'record' | 'history'>) =>
  passageOf(
    record,
    placesOf(record.size, (i) => outcome[i] === outcomes.admitted),
  )

const admissions = onceFor(
  (evidence: Evidence) =>
    new Map(judgedKeys(evidence).map((key) => [key.name, { agreed: key.agreed, admitted: admissionsOf(key) }])),
)

/**
 * Whether the Remaining that a refusal shows may have come back while it was in transit: all of the quota if a window ended
 * then; else no more than was admitted a window earlier, or than flows into a bucket in that time. A limiter that decides
 * first and then looks up its headers can refuse and still show that much. With 60 in 6 s, if two requests were admitted 6 s
 * before a refusal that took 90 ms: two.
 */
export const cameBackMeanwhile = (evidence: Evidence, reading: RateReading, left: number): boolean => {
  const { key, sentAt, receivedAt } = reading
  const found = key === null ? undefined : admissions(evidence).get(key)
  if (!found) return false
  const { agreed, admitted } = found
  // The window that the answer shows may have begun meanwhile, or ended.
  const metEdge = () => hasBegun(evidence, reading) || mayHaveEnded(evidence, reading)
  if (left === wholeQuota(agreed).units && metEdge()) return true
  const expired = mostIn(admitted, sentAt - agreed.windowMs, receivedAt - agreed.windowMs)
  const flownIn = Math.floor(((receivedAt - sentAt) * agreed.limit) / agreed.windowMs)
  return left <= Math.max(expired, flownIn)
}

/**
 * The most requests that were certainly admitted within one window length: both sent and answered in it. Counting answers
 * alone would give too many, since a request answered in the span may have been counted before it.
 */
export const mostAdmitted = ({ window, ...key }: Pick<JudgedKey, 'record' | 'history' | 'window'>): number =>
  mostWithin(admissionsOf(key), window.windowMs)
