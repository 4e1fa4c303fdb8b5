import type { Arrival } from '../../evidence/arrivals.js'
import { medianOf } from '../../kit/numbers.js'
import { type NamedWait, type Noise, type Refusal, type Story, starvedBetween } from './story.js'

/** Where the client is on its own: no `Retry-After`, or one that can't be used, or is past a timer's range. */
const leavesClientAlone = ({ kind }: NamedWait): boolean =>
  kind === 'none' || kind === 'unusable' || kind === 'huge' || kind === 'reset'

/** Such an arrival after the first refusal of a series was under way when that was written, if its connection was there. */
export const underWayMs = 100
/** Nobody acts faster on an answer: what opens a connection within this may have decided to before. */
const reactionMs = 10
/** So long nothing came before a refusal that was held back until all that was sent at once had come in. */
const silenceMs = 90
/** Where only the controls tell how long a client may have been held up: its answer, it, and its request may all be. */
export const stalls = 3

/** What an arrival in a series of refusals tells of whether its client knew of the first of them. */
type Foreknowledge = 'under-way' | 'perhaps' | 'knew'

/**
 * How long the client may have been held up between a refusal and an arrival: the time that its own threads waited for a
 * processor, and what the machine else did to the controls in the same moments. Where the system does not tell of its
 * threads, the controls alone.
 */
const heldUpMs = (refusal: Refusal, arrival: Arrival, noise: Noise): number => {
  const lateMs = noise.mostMs(refusal.answeredAt, arrival.at)
  const starved = starvedBetween(refusal, arrival)
  return starved ? starved.togetherMs + lateMs : stalls * lateMs
}

/** Whether all that was under way with the refusal was refused before that connection came, and nothing served since. */
const nothingElseOpen = ({ arrivals }: Story, { answeredAt }: Refusal, arrival: Arrival): boolean =>
  arrivals
    .slice(0, arrivals.indexOf(arrival))
    .filter((each) => each.answeredAt === null || each.answeredAt > answeredAt - underWayMs)
    .every(
      ({ at, answeredAt: own, status }) => status !== 200 && (at > answeredAt || (own ?? at) <= arrival.openedAfter),
    )

/** Whether the client does one thing at a time, or had its first requests all in before the refusal was written. */
const allHadCome = ({ arrivals, play }: Story, { answeredAt }: Refusal): boolean => {
  const before = arrivals.filter(({ at }) => at <= answeredAt)
  const alone = before.every(({ at }, index) => index === 0 || (before[index - 1].answeredAt ?? at + 1) <= at)
  return (alone && play.asked.workers === 1) || answeredAt - (before.at(-1)?.at ?? 0) >= silenceMs
}

/** What several workers send within that time of an answer none of them can have sent because of it. */
const beforeAnyReaction = ({ workers }: Story, { answeredAt }: Refusal, { at }: Arrival): boolean =>
  workers > 1 && at - answeredAt <= reactionMs

/** What came on a connection that was opened once the refusal had been written. */
const onNewConnection = (story: Story, first: Refusal, arrival: Arrival, heldUp: number): Foreknowledge => {
  const openedMs = arrival.openedAfter - first.answeredAt
  // Who has nothing else under way tries again; only a request that was starved from the beginning comes so late.
  if (nothingElseOpen(story, first, arrival) && allHadCome(story, first)) {
    return heldUp >= silenceMs + openedMs ? 'perhaps' : 'knew'
  }
  if (beforeAnyReaction(story, first, arrival)) return 'under-way'
  return openedMs <= Math.max(reactionMs, heldUp) ? 'perhaps' : 'knew'
}

/**
 * Whether the sender of an arrival knew of the first refusal of its series, as far as times tell. `perhaps`: it came late
 * enough to have known, or on a connection that may be too young, and what held up client or server in those moments may
 * be the reason.
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

/** The pauses of a client whose workers share one for the key; undefined where each goes on by itself. */
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

/** How often each play's client waited, from a refusal to its next attempt, while every refusal was of such a kind. */
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
  // With several workers, the attempts of one are as far apart as there are workers.
  const rounds = Math.floor((arrivals.length - 1) / workers)
  return Array.from({ length: Math.max(0, rounds) }, (_, round) => {
    const waits = suited.slice(round * workers, (round + 1) * workers).flatMap(({ answeredAt }, index) => {
      const next = arrivals[(round + 1) * workers + index]
      return next === undefined ? [] : [next.at - answeredAt]
    })
    return waits.length > 0 ? medianOf(rising(waits)) : Number.NaN
  }).filter((wait) => !Number.isNaN(wait))
}

/** The waits by attempt, over the plays that got as far; an attempt that fewer than half of them made is left out. */
const attemptsOf = (waits: readonly (readonly number[])[]): readonly AttemptWaits[] => {
  const plays = waits.filter((each) => each.length > 0).length
  const most = Math.max(0, ...waits.map((each) => each.length))
  return Array.from({ length: most }, (_, attempt) =>
    rising(waits.flatMap((each) => (attempt < each.length ? [each[attempt]] : []))),
  )
    .filter((each) => each.length * 2 >= plays)
    .map((waitsMs) => ({ waitsMs, medianMs: medianOf(waitsMs) }))
}

/** The cases in which no refusal named a wait that could be used, the plays of each taken together. */
export const lonelyCases = (stories: readonly Story[]) => {
  const byCase = new Map<string, Story[]>()
  for (const story of stories) {
    const [first] = story.refusals
    if (story.arrivals.length === 0 || !first || !leavesClientAlone(first.named)) continue
    byCase.set(story.play.case, [...(byCase.get(story.play.case) ?? []), story])
  }
  return [...byCase].map(([id, ofCase]) => ({
    case: id,
    stories: ofCase,
    named: ofCase[0].refusals[0].named,
    attempts: attemptsOf(ofCase.map((story) => waitsOf(story, leavesClientAlone))),
  }))
}

const namesNothing = ({ kind }: NamedWait): boolean => kind === 'none'

/** The attempts that all plays but one have made in full: a cut-off play knows only the short waits. */
const uncut = (alone: readonly Story[], waits: readonly (readonly number[])[]): number => {
  const cutAt = alone.flatMap(({ play }, index) => (play.end === 'exit' ? [] : [waits[index].length]))
  return rising(cutAt)[1] ?? Number.POSITIVE_INFINITY
}

/** The plays in which the answers named nothing at all: there a client shows its own schedule. */
export const ownSchedule = (stories: readonly Story[]) => {
  const alone = stories.filter(({ refusals: [first] }) => first !== undefined && namesNothing(first.named))
  const waits = alone.map((story) => waitsOf(story, namesNothing))
  return { stories: alone, waits, attempts: attemptsOf(waits).slice(0, uncut(alone, waits)) }
}

const timeOf = (stories: readonly Story[]): readonly [number, number] => [
  Math.min(...stories.map(({ arrivals }) => arrivals[0]?.at ?? Number.POSITIVE_INFINITY)),
  Math.max(...stories.map(({ arrivals }) => arrivals[arrivals.length - 1]?.at ?? 0)),
]

/** What the control was usually late by while those plays lasted. */
export const usualNoise = ({ noise }: { readonly noise: Noise }, stories: readonly Story[]): number =>
  noise.usualMs(...timeOf(stories))

/** The most that it was late by meanwhile. */
export const mostNoise = ({ noise }: { readonly noise: Noise }, stories: readonly Story[]): number =>
  noise.mostMs(...timeOf(stories))

/** A gap below this is no wait at all: its client chose none. */
export const atOnceMs = 100

/** Whether an attempt came at once, by the median; `unclear` where the machine may have made a wait of it. */
export const comesAtOnce = ({ medianMs }: AttemptWaits, lateMs: number): 'yes' | 'no' | 'unclear' =>
  medianMs < atOnceMs ? 'yes' : medianMs < atOnceMs + lateMs ? 'unclear' : 'no'

/** Whether the client sent several requests at once where it was asked for one: its waits are then told apart by guess. */
export const waitsOverlap = (stories: readonly Story[]): boolean =>
  stories.some(({ workers, play }) => workers > play.asked.workers)
