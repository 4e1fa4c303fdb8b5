import type { Evidence } from '../evidence/evidence.js'
import { onceFor } from '../kit/once-for.js'
import { countUpTo } from '../kit/sorted-counts.js'
import { type RateReading, rateReadings } from './readings.js'
import { windowsOf } from './run-windows.js'
import { runClock } from './target-clock.js'

/** The answers with a key that show a Reset, as they came: when, and the latest Reset by then. */
interface ShownResets {
  readonly receivedMs: Float64Array
  readonly latest: Float64Array
}

const resetOf = ({ headers: { reset } }: RateReading): number => (reset.state === 'number' ? reset.value : Number.NaN)

const shownResets = onceFor((evidence: Evidence): ReadonlyMap<string, ShownResets> => {
  const byKey = new Map<string, [receivedMs: number, reset: number][]>()
  for (const each of rateReadings(evidence)) {
    const shown = byKey.get(each.key ?? '') ?? []
    if (!Number.isNaN(resetOf(each))) shown.push([each.receivedAt, resetOf(each)])
    byKey.set(each.key ?? '', shown)
  }
  return new Map(
    [...byKey].map(([key, shown]) => {
      shown.sort(([one], [other]) => one - other)
      let latest = Number.NEGATIVE_INFINITY
      const upTo = (reset: number): number => {
        latest = Math.max(latest, reset)
        return latest
      }
      return [
        key,
        {
          receivedMs: Float64Array.from(shown, ([receivedMs]) => receivedMs),
          latest: Float64Array.from(shown, ([, reset]) => upTo(reset)),
        },
      ]
    }),
  )
})

/** Whether the Reset of an answer is later, by half a window at least, than that of every answer before it was sent. */
const hasBegun = (evidence: Evidence, reading: RateReading): boolean => {
  const shown = shownResets(evidence).get(reading.key ?? '')
  const before = shown ? countUpTo(shown.receivedMs, reading.sentAt) : 0
  if (!shown || before === 0) return false
  return resetOf(reading) - shown.latest[before - 1] >= windowsOf(evidence).minuteMs / 2_000
}

/** Whether the moment that the Reset of an answer names, rounded up to its second, may have been there by its receipt. */
const mayHaveEnded = (evidence: Evidence, reading: RateReading): boolean => {
  const clock = runClock(evidence)
  return (resetOf(reading) - 1) * 1_000 - (clock.likely ?? clock).to <= reading.receivedAt
}

/** Whether one window may have given way to the next while an answer was under way: the one that it shows began then, or ended. */
export const metWindowEdge = (evidence: Evidence, reading: RateReading): boolean =>
  hasBegun(evidence, reading) || mayHaveEnded(evidence, reading)
