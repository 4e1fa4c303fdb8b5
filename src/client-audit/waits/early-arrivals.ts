import type { Arrival } from '../../evidence/arrivals.js'
import { type Noise, type Refusal, type Story, starvedBetween } from './story.js'
import { foreknowledge } from './waits.js'

/**
 * How early a client may have meant to come that came when it did: what it was held up by, less what it was late. The
 * wait of one of its threads for a processor, and the time for which the server had not looked, tell that; else the controls, near
 * the refusal and near the arrival.
 */
const concealedMs = (refusal: Refusal, untilMs: number, arrival: Arrival, noise: Noise): number => {
  const { at, notBefore } = arrival
  const starved = starvedBetween(refusal, arrival)
  const heldUpMs = starved
    ? starved.longestMs + (at - notBefore)
    : noise.mostMs(refusal.answeredAt, refusal.answeredAt) + noise.mostMs(untilMs, at)
  return Math.max(0, heldUpMs - Math.max(0, at - untilMs))
}

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

/** A wait that was kept: the refusal, and the first that came after its time. */
export type KeptWait = ReturnType<typeof keptWait>

/** `lateMs`: how late it came; `concealedMs`: how early its client may have meant to come, and been held up. */
const keptWait = (series: readonly Open[], arrival: Arrival, noise: Noise) => {
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

/** What a case asked for, and what came instead: the case was not played. */
export type Amiss =
  /** Not certain where its time was up before it began. */
  | { readonly kind: 'nothing'; readonly certain: boolean }
  | { readonly kind: 'operation'; readonly asked: string; readonly came: string }
  | { readonly kind: 'requests'; readonly asked: number; readonly came: number }
  | { readonly kind: 'workers'; readonly asked: number }

/** The method of an operation that a case asks for by name; undefined where any request will do. */
const methodOf = ({ play: { asked } }: Story): string | undefined =>
  asked.operation === 'updateInventory' ? 'PATCH' : undefined

/** Whether some of a play's requests came beside others: at one time, or on a connection that was used again later. */
export const severalCame = ({
  arrivals,
  workers,
}: Pick<Story, 'workers'> & { readonly arrivals: readonly Pick<Arrival, 'connection'>[] }): boolean => {
  const order = arrivals.map(({ connection }) => connection)
  return workers > 1 || order.some((each, at) => order[at - 1] !== each && order.slice(0, at).includes(each))
}

/** Whether a play's requests were of another operation than the one it asked for. */
export const isOtherOperation = (story: Story): boolean => {
  const method = methodOf(story)
  return method !== undefined && story.arrivals.length > 0 && story.arrivals.every((each) => each.method !== method)
}

/** Who had ended and was never refused did not give up: it was not made to send more. */
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

/** What is amiss in each case of which no play was played as asked, by its id. */
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
