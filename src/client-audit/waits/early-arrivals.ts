import type { Arrival } from '../../evidence/arrivals.js'
import { type Noise, type Refusal, type Story, starvedBetween } from './story.js'
import { foreknowledge } from './waits.js'

/**
 * How much too early a client may have meant to come: its delay, less how late it came. The delay is known from its
 * threads' waits for a processor and from how long the server had not looked; else from the controls, near the refusal and
 * near the arrival.
 */
const concealedMs = (refusal: Refusal, untilMs: number, arrival: Arrival, noise: Noise): number => {
  const { at, notBefore } = arrival
  const starved = starvedBetween(refusal, arrival)
  const heldUpMs = starved
    ? starved.longestMs + (at - notBefore)
    : noise.mostMs(refusal.answeredAt, refusal.answeredAt) + noise.mostMs(untilMs, at)
  return Math.max(0, heldUpMs - Math.max(0, at - untilMs))
}

/** A client that comes this much before the moment is still in time (CLIENT-1). */
export const inTimeMs = 3

/** An arrival before the wait of a refusal was over. */
export interface EarlyArrival {
  readonly refusal: Refusal
  readonly arrival: Arrival
  readonly waitedMs: number
  readonly namedMs: number
  /** Not certain if a delay of client or server may have made a request in flight arrive late. */
  readonly certain: boolean
}

interface Open {
  readonly refusal: Refusal
  readonly untilMs: number
}

const untilOf = ({ named, answeredAt }: Refusal): number => ('untilMs' in named ? named.untilMs : answeredAt)

/** A kept wait: the refusal, and the first arrival after its time. */
export type KeptWait = ReturnType<typeof keptWait>

/** `lateMs`: how late it came; `concealedMs`: how much too early its client may have meant to come before a delay. */
const keptWait = (series: readonly Open[], arrival: Arrival, noise: Noise) => {
  const { refusal, untilMs } = series.reduce((last, each) => (each.untilMs > last.untilMs ? each : last))
  const lateMs = arrival.at - untilMs
  return { refusal, arrival, lateMs, concealedMs: concealedMs(refusal, untilMs, arrival, noise) }
}

/**
 * How a play's refusals of this kind were kept: every arrival before their time was over that was not in flight, and every
 * kept wait. A series of refusals begins with the first one after a kept wait. Requests in flight at its beginning share
 * the earliest of their moments: 20 workers that were told "2" within 20 ms may all come back when the first of them may,
 * and so may those of whom the first was told "3", as rounding up to a second makes it.
 */
export const waitsKept = (story: Story, asks: (refusal: Refusal) => boolean, noise: Noise, toleranceMs = 0) => {
  const byArrival = new Map(story.refusals.map((each) => [each.arrival, each]))
  const early: EarlyArrival[] = []
  const kept: KeptWait[] = []
  let series: readonly Open[] = []
  // True if a request in flight from the previous series may have begun this one, and so shares an earlier moment.
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
      const joins = underWay && series.length > 0
      const untilMs = joins ? Math.min(untilOf(own), series[0].untilMs) : untilOf(own)
      const told = joins ? series.map((each) => ({ ...each, untilMs: Math.min(each.untilMs, untilMs) })) : series
      series = [...told, { refusal: own, untilMs }]
    }
  }
  return { early, kept }
}

/** What a case asked for, and what came instead: the case was not played. */
export type Amiss =
  /** Not certain if its time was up before it began. */
  | { readonly kind: 'nothing'; readonly certain: boolean }
  | { readonly kind: 'operation'; readonly asked: string; readonly came: string }
  | { readonly kind: 'requests'; readonly asked: number; readonly came: number }
  | { readonly kind: 'workers'; readonly asked: number }

/** The method of the operation that a case asks for; undefined if any request will do. */
const methodOf = ({ play: { asked } }: Story): string | undefined =>
  asked.operation === 'updateInventory' ? 'PATCH' : undefined

/** A client that sends one request at a time may have two connections take turns, as fetch of Node.js does. */
const connectionsOfOne = 2

/** Whether some of a play's requests came in parallel: at one time, or on several connections that were used again later. */
export const severalCame = ({
  arrivals,
  workers,
}: Pick<Story, 'workers'> & { readonly arrivals: readonly Pick<Arrival, 'connection'>[] }): boolean => {
  const order = arrivals.map(({ connection }) => connection)
  const again = order.filter((each, at) => order[at - 1] !== each && order.slice(0, at).includes(each))
  return workers > 1 || new Set(again).size > connectionsOfOne
}

/** Whether a play's requests were of another operation than the one it asked for. */
export const isOtherOperation = (story: Story): boolean => {
  const method = methodOf(story)
  return method !== undefined && story.arrivals.length > 0 && story.arrivals.every((each) => each.method !== method)
}

/** Whether a client ended, never refused, with fewer requests than asked: it did not give up, it had no more to send. */
const leftWork = ({ play, arrivals, refusals }: Story): boolean =>
  play.end === 'exit' && refusals.length === 0 && arrivals.length < play.asked.requests

const amissIn = (story: Story, oneByOne: boolean): Amiss | undefined => {
  const { play, arrivals } = story
  const { requests, workers } = play.asked
  if (play.end === 'interrupted') return undefined
  if (arrivals.length === 0) return { kind: 'nothing', certain: play.end === 'exit' }
  const asked = methodOf(story)
  if (asked !== undefined && isOtherOperation(story)) return { kind: 'operation', asked, came: arrivals[0].method }
  if (leftWork(story)) return { kind: 'requests', asked: requests, came: arrivals.length }
  return workers > 1 && oneByOne ? { kind: 'workers', asked: workers } : undefined
}

/** What was wrong in each case without a single play as asked, by its id. */
export const amissByCase = (stories: readonly Story[]): ReadonlyMap<string, Amiss> => {
  const oneByOne = !stories.some((story) => story.play.asked.workers > 1 && severalCame(story))
  const byCase = new Map<string, Amiss | undefined>()
  for (const story of stories) {
    const { case: id } = story.play
    const amiss = amissIn(story, oneByOne)
    byCase.set(id, byCase.has(id) ? byCase.get(id) && amiss : amiss)
  }
  return new Map([...byCase].flatMap(([id, amiss]) => (amiss ? [[id, amiss] as const] : [])))
}
