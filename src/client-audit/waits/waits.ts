import type { Arrival } from '../../evidence/arrivals.js'
import { medianOf } from '../../kit/numbers.js'
import { type NamedWait, type Noise, type Refusal, type Story, starvedBetween } from './story.js'

/** Whether the client has to choose its own wait: `Retry-After` is missing, unusable, or beyond a timer's range. */
const leavesClientAlone = ({ kind }: NamedWait): boolean =>
  kind === 'none' || kind === 'unusable' || kind === 'huge' || kind === 'reset'

/** An arrival this soon after a series' first refusal was in flight when that was sent, if its connection existed. */
export const underWayMs = 100
/** No client reacts faster to an answer: a connection opened within this time may have been decided on before. */
const reactionMs = 10
/** How long nothing came before a held refusal was sent, so that all requests sent at once had arrived. */
const silenceMs = 90
/** If only the controls show a delay, it may have hit three things: the answer, the client and its request. */
export const stalls = 3

/** Whether the sender of an arrival knew of the first refusal of its series. */
type Foreknowledge = 'under-way' | 'perhaps' | 'knew'

/**
 * How long the client may have been delayed between a refusal and an arrival: how long its own threads waited for a
 * processor, and other delays of the controls at the same time. If nothing is known about its threads, only the controls.
 */
const heldUpMs = (refusal: Refusal, arrival: Arrival, noise: Noise): number => {
  const lateMs = noise.mostMs(refusal.answeredAt, arrival.at)
  const starved = starvedBetween(refusal, arrival)
  return starved ? starved.togetherMs + lateMs : stalls * lateMs
}

/** Whether everything in flight with the refusal was refused before that connection came, and nothing served since. */
const nothingElseOpen = ({ arrivals }: Story, { answeredAt }: Refusal, arrival: Arrival): boolean =>
  arrivals
    .slice(0, arrivals.indexOf(arrival))
    .filter((each) => each.answeredAt === null || each.answeredAt > answeredAt - underWayMs)
    .every(
      ({ at, answeredAt: own, status }) => status !== 200 && (at > answeredAt || (own ?? at) <= arrival.openedAfter),
    )

/** Whether the client sends one request at a time, or all its first requests had arrived before the refusal was sent. */
const allHadCome = ({ arrivals, play }: Story, { answeredAt }: Refusal): boolean => {
  const before = arrivals.filter(({ at }) => at <= answeredAt)
  const alone = before.every(({ at }, index) => index === 0 || (before[index - 1].answeredAt ?? at + 1) <= at)
  return (alone && play.asked.workers === 1) || answeredAt - (before.at(-1)?.at ?? 0) >= silenceMs
}

/** Whether an arrival of several workers came too soon after an answer to be a reaction to it. */
const beforeAnyReaction = ({ workers }: Story, { answeredAt }: Refusal, { at }: Arrival): boolean =>
  workers > 1 && at - answeredAt <= reactionMs

/** Judges an arrival on a connection that was opened after the refusal was sent. */
const onNewConnection = (story: Story, first: Refusal, arrival: Arrival, heldUp: number): Foreknowledge => {
  const openedMs = arrival.openedAfter - first.answeredAt
  // With nothing else in flight, this is a retry; only a request that was starved from the start would come this late.
  if (nothingElseOpen(story, first, arrival) && allHadCome(story, first))
    return heldUp >= silenceMs + openedMs ? 'perhaps' : 'knew'
  if (beforeAnyReaction(story, first, arrival)) return 'under-way'
  return openedMs <= Math.max(reactionMs, heldUp) ? 'perhaps' : 'knew'
}

/**
 * Whether the sender of an arrival knew of the first refusal of its series, by its times. `perhaps`: it came late enough to
 * have known, or on a connection that may be too young, but a delay of client or server at that time may be the reason.
 */
export const foreknowledge = (story: Story, first: Refusal, arrival: Arrival, noise: Noise): Foreknowledge => {
  const { answeredAt } = first
  const { at, notBefore, connection, acceptedAt, openedAfter } = arrival
  if (at < answeredAt) return 'under-way'
  if (connection === first.arrival.connection) return 'knew'
  const heldUp = heldUpMs(first, arrival, noise)
  if (openedAfter >= answeredAt) return onNewConnection(story, first, arrival, heldUp)
  if (acceptedAt <= answeredAt ? at - answeredAt <= underWayMs : beforeAnyReaction(story, first, arrival))
    return 'under-way'
  return notBefore - answeredAt <= underWayMs + heldUp ? 'perhaps' : 'knew'
}

/** The waits of one attempt over several plays. */
export interface AttemptWaits {
  readonly waitsMs: readonly number[]
  readonly medianMs: number
}

const rising = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/** The pauses of a client whose workers share one pause for the key; undefined if each worker goes on by itself. */
const pausesOf = (arrivals: readonly Arrival[], suited: readonly Refusal[]): readonly number[] | undefined => {
  const pauses: number[] = []
  const sizes: number[] = []
  let first: Refusal | undefined = suited[0]
  for (const arrival of arrivals) {
    if (first && arrival.at > first.answeredAt + underWayMs) {
      pauses.push(arrival.at - first.answeredAt)
      first = suited.find((each) => each.arrival === arrival)
      sizes.push(0)
    }
    sizes[pauses.length] = (sizes[pauses.length] ?? 0) + 1
    if (!first) break
  }
  const [together = 0, ...later] = sizes
  return later.every((size) => size * 2 <= together) ? pauses : undefined
}

/** The client's waits from each refusal to its next attempt, while every refusal was of such a kind. */
const waitsOf = ({ arrivals, refusals, workers }: Story, suits: (named: NamedWait) => boolean): readonly number[] => {
  const byArrival = new Map(refusals.map((each) => [each.arrival, each]))
  const suited: Refusal[] = []
  for (const arrival of arrivals) {
    const refusal = byArrival.get(arrival)
    if (!refusal || !suits(refusal.named)) break
    suited.push(refusal)
  }
  const pauses = workers > 1 ? pausesOf(arrivals, suited) : undefined
  if (pauses) return pauses
  // With n workers, consecutive attempts of one worker are n requests apart.
  const rounds = Math.floor((arrivals.length - 1) / workers)
  return Array.from({ length: Math.max(0, rounds) }, (_, round) => {
    const waits = suited.slice(round * workers, (round + 1) * workers).flatMap(({ answeredAt }, index) => {
      const next = arrivals[(round + 1) * workers + index]
      return next === undefined ? [] : [next.at - answeredAt]
    })
    return waits.length > 0 ? medianOf(rising(waits)) : Number.NaN
  }).filter((wait) => !Number.isNaN(wait))
}

/** The waits by attempt, over the plays that got that far; attempts made by fewer than half of the plays are left out. */
const attemptsOf = (waits: readonly (readonly number[])[]): readonly AttemptWaits[] => {
  const plays = waits.filter((each) => each.length > 0).length
  const most = Math.max(0, ...waits.map((each) => each.length))
  return Array.from({ length: most }, (_, attempt) =>
    rising(waits.flatMap((each) => (attempt < each.length ? [each[attempt]] : []))),
  )
    .filter((each) => each.length * 2 >= plays)
    .map((waitsMs) => ({ waitsMs, medianMs: medianOf(waitsMs) }))
}

/** The cases in which no refusal named a usable wait, with the plays of each taken together. */
export const lonelyCases = (stories: readonly Story[]) => {
  const alone = stories.filter(({ refusals: [first] }) => first && leavesClientAlone(first.named))
  return [...new Set(alone.map(({ play }) => play.case))].map((id) => {
    const ofCase = alone.filter(({ play }) => play.case === id)
    const attempts = attemptsOf(ofCase.map((story) => waitsOf(story, leavesClientAlone)))
    return { case: id, stories: ofCase, named: ofCase[0].refusals[0].named, attempts }
  })
}

const namesNothing = ({ kind }: NamedWait): boolean => kind === 'none'

/** How many attempts all cut-off plays but one made: a cut-off play has only the short waits. */
const uncut = (alone: readonly Story[], waits: readonly (readonly number[])[]): number => {
  const cutAt = alone.flatMap(({ play }, index) => (play.end === 'exit' ? [] : [waits[index].length]))
  return rising(cutAt)[1] ?? Number.POSITIVE_INFINITY
}

/** The plays whose answers named no wait at all, in which a client shows its own schedule. */
export const ownSchedule = (stories: readonly Story[]) => {
  const alone = stories.filter(({ refusals: [first] }) => first !== undefined && namesNothing(first.named))
  const waits = alone.map((story) => waitsOf(story, namesNothing))
  return { stories: alone, waits, attempts: attemptsOf(waits).slice(0, uncut(alone, waits)) }
}

const timeOf = (stories: readonly Story[]): readonly [number, number] => [
  Math.min(...stories.map(({ arrivals }) => arrivals[0]?.at ?? Number.POSITIVE_INFINITY)),
  Math.max(...stories.map(({ arrivals }) => arrivals[arrivals.length - 1]?.at ?? 0)),
]

/** The control's usual delay during those plays. */
export const usualNoise = ({ noise }: { readonly noise: Noise }, stories: readonly Story[]): number =>
  noise.usualMs(...timeOf(stories))

/** The control's longest delay during those plays. */
export const mostNoise = ({ noise }: { readonly noise: Noise }, stories: readonly Story[]): number =>
  noise.mostMs(...timeOf(stories))

/** A gap below this is no wait: the client chose none. */
export const atOnceMs = 100

/** Whether an attempt came at once, by the median; `unclear` if the machine may have turned it into a wait. */
export const comesAtOnce = ({ medianMs }: AttemptWaits, lateMs: number): 'yes' | 'no' | 'unclear' =>
  medianMs < atOnceMs ? 'yes' : medianMs < atOnceMs + lateMs ? 'unclear' : 'no'

/** Whether the client sent several requests at once though asked for one: then its waits can only be guessed. */
export const waitsOverlap = (stories: readonly Story[]): boolean =>
  stories.some(({ workers, play }) => workers > play.asked.workers)
