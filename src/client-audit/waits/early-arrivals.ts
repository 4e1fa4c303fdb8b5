import type { Arrival } from '../../evidence/arrivals.js'
import { foreknowledge } from './foreknowledge.js'
import { concealedMs, type KeptWait } from './kept-waits.js'
import type { Noise } from './noise.js'
import type { Refusal, Story } from './story.js'

/** From so much before the moment on a client is in time (CLIENT-1). */
const inTimeMs = 3

/** An arrival within the time that a refusal had asked it to stay away. */
export interface EarlyArrival {
  readonly refusal: Refusal
  readonly arrival: Arrival
  readonly waitedMs: number
  readonly namedMs: number
  /** Not certain where what held up client or server may have made a request late that was under way. */
  readonly certain: boolean
}

interface Open {
  readonly refusal: Refusal
  readonly untilMs: number
}

const untilOf = ({ named, answeredAt }: Refusal): number => ('untilMs' in named ? named.untilMs : answeredAt)

const keptWait = (series: readonly Open[], arrival: Arrival, noise: Noise): KeptWait => {
  const { refusal, untilMs } = series.reduce((last, each) => (each.untilMs > last.untilMs ? each : last))
  const lateMs = arrival.at - untilMs
  return { refusal, arrival, lateMs, concealedMs: concealedMs(refusal, untilMs, arrival, noise) }
}

/**
 * How a play's refusals of that kind were kept: every arrival that came before their time was over and was not under
 * way, and every wait that was kept. A series of refusals begins with the first one after a wait that was kept. What was
 * under way at its beginning shares its moment: 20 workers that were told "2" within 20 ms may all come back when the
 * first of them may.
 */
export const waitsKept = (
  story: Story,
  asks: (refusal: Refusal) => boolean,
  noise: Noise,
  toleranceMs = 0,
): { readonly early: readonly EarlyArrival[]; readonly kept: readonly KeptWait[] } => {
  const byArrival = new Map(story.refusals.map((each) => [each.arrival, each]))
  const early: EarlyArrival[] = []
  const kept: KeptWait[] = []
  let series: readonly Open[] = []
  // Begun by what may have been under way from the one before: who was refused then shares an earlier moment.
  let doubtful = false
  for (const arrival of story.arrivals) {
    const { at } = arrival
    const known = series.filter(({ refusal }) => refusal.answeredAt <= at)
    const [first] = series
    const knew = first && foreknowledge(story, first.refusal, arrival, noise)
    const broken = known.find(({ untilMs }) => at < untilMs - inTimeMs - toleranceMs)
    const underWay = knew === 'under-way' || (knew === 'perhaps' && broken !== undefined)
    if (broken && knew !== 'under-way') {
      const { refusal, untilMs } = broken
      const [waitedMs, namedMs] = [at - refusal.answeredAt, untilMs - refusal.answeredAt]
      early.push({ refusal, arrival, waitedMs, namedMs, certain: knew === 'knew' && !doubtful })
    }
    if (series.length > 0 && !underWay && !broken) {
      if (knew === 'knew') kept.push(keptWait(series, arrival, noise))
      series = []
      doubtful = knew === 'perhaps'
    }
    const own = byArrival.get(arrival)
    if (own && asks(own)) {
      const [opened] = series
      const untilMs = underWay && opened ? Math.min(untilOf(own), opened.untilMs) : untilOf(own)
      series = [...series, { refusal: own, untilMs }]
    }
  }
  return { early, kept }
}
