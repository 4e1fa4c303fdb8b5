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
  /** Not certain where only the machine's stalls may have made a request late that was under way. */
  readonly certain: boolean
}

interface Open {
  readonly refusal: Refusal
  readonly untilMs: number
}

const untilOf = ({ named, answeredAt }: Refusal): number => ('untilMs' in named ? named.untilMs : answeredAt)

/**
 * A machine that stalls holds up the answer on its way to the client, the client, and its request on its way back:
 * one of them for as long as the control was late in that time, or each.
 */
const stalls = 3

/** What an arrival on another connection, in a series of refusals, tells of whether its client knew of the first. */
const foreknowledge = (
  { refusal: first }: Open,
  { at, connection }: Arrival,
  answeredBefore: number | undefined,
  noise: Noise,
): 'under-way' | 'perhaps' | 'knew' => {
  if (at < first.answeredAt) return 'under-way'
  if (connection === first.arrival.connection) return 'knew'
  const sinceMs = at - first.answeredAt
  if (sinceMs <= underWayMs) return 'under-way'
  // It has read a later answer by then, so that one too.
  if (answeredBefore !== undefined && answeredBefore > first.answeredAt + underWayMs) return 'knew'
  const lateMs = noise.mostMs(first.answeredAt, at)
  if (sinceMs <= underWayMs + lateMs) return 'under-way'
  return sinceMs <= underWayMs + stalls * lateMs ? 'perhaps' : 'knew'
}

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
  const answered = new Map<number, number>()
  let series: readonly Open[] = []
  for (const arrival of arrivals) {
    const { at, connection } = arrival
    const known = series.filter(({ refusal }) => refusal.answeredAt <= at)
    const [first] = series
    const knew = first && foreknowledge(first, arrival, answered.get(connection), noise)
    const underWay = knew === 'under-way' || knew === 'perhaps'
    const broken = known.find(({ untilMs }) => at < untilMs - inTimeMs - toleranceMs)
    if (broken && knew !== 'under-way') {
      const { refusal, untilMs } = broken
      const [waitedMs, namedMs] = [at - refusal.answeredAt, untilMs - refusal.answeredAt]
      early.push({ refusal, arrival, waitedMs, namedMs, certain: knew === 'knew' })
    }
    if (arrival.answeredAt !== null) answered.set(connection, arrival.answeredAt)
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
