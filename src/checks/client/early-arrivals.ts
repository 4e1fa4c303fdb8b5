import type { Arrival } from '../../evidence/arrivals.js'
import type { Noise } from './noise.js'
import type { Refusal, Story } from './story.js'

/** From so much before the moment on a client is in time (CLIENT-1). */
const inTimeMs = 3
/** Such an arrival after the first refusal of a series, on another connection, was under way when that went out. */
export const underWayMs = 100

/** An arrival within the time that a refusal had asked it to stay away. */
export interface EarlyArrival {
  readonly refusal: Refusal
  readonly arrival: Arrival
  readonly waitedMs: number
  readonly namedMs: number
}

interface Open {
  readonly refusal: Refusal
  readonly untilMs: number
}

const untilOf = ({ named, answeredAt }: Refusal): number => ('untilMs' in named ? named.untilMs : answeredAt)

/** A machine that stalls holds back what was under way, too. */
const lateAround = (noise: Noise, at: number): number => noise.mostMs(at, at + underWayMs)

/**
 * Every arrival that came before the time of a refusal of that kind was over, and was not under way. A series of
 * refusals begins with the first one after a wait that was kept. What was under way at its beginning shares its
 * moment: 20 workers that were told "2" within 20 ms may all come back when the first of them may.
 */
export const earlyArrivals = (
  { arrivals, refusals }: Story,
  asks: (refusal: Refusal) => boolean,
  noise: Noise,
  toleranceMs = 0,
): readonly EarlyArrival[] => {
  const byArrival = new Map(refusals.map((each) => [each.arrival, each]))
  const early: EarlyArrival[] = []
  let series: readonly Open[] = []
  for (const arrival of arrivals) {
    const { at } = arrival
    const known = series.filter(({ refusal }) => refusal.answeredAt <= at)
    const [first] = series
    const underWay =
      first !== undefined &&
      (at < first.refusal.answeredAt ||
        (at - first.refusal.answeredAt <= underWayMs + lateAround(noise, first.refusal.answeredAt) &&
          arrival.connection !== first.refusal.arrival.connection))
    const broken = known.find(({ untilMs }) => at < untilMs - inTimeMs - toleranceMs)
    if (broken && !underWay) {
      const { refusal, untilMs } = broken
      early.push({ refusal, arrival, waitedMs: at - refusal.answeredAt, namedMs: untilMs - refusal.answeredAt })
    }
    const kept = series.length > 0 && !underWay && !broken
    if (kept) series = []
    const own = byArrival.get(arrival)
    if (own && asks(own)) {
      const [opened] = series
      const untilMs = underWay && opened ? Math.min(untilOf(own), opened.untilMs) : untilOf(own)
      series = [...series, { refusal: own, untilMs }]
    }
  }
  return early
}
