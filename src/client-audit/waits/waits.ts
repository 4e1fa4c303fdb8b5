import type { Arrival } from '../../evidence/arrivals.js'
import { medianOf } from '../../kit/median.js'
import { underWayMs } from './foreknowledge.js'
import { leavesClientAlone, type NamedWait } from './named-wait.js'
import type { Noise } from './noise.js'
import type { Refusal, Story } from './story.js'

/** The waits of one attempt over several plays. */
export interface AttemptWaits {
  /** Sorted. */
  readonly waitsMs: readonly number[]
  readonly medianMs: number
}

const rising = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/**
 * The pauses of a client whose workers keep one for the whole key: many come at first, and after each pause one or few.
 * Undefined where each of them goes on by itself.
 */
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

/** What one case shows of a client that is on its own. */
export interface LonelyCase {
  readonly case: string
  readonly stories: readonly Story[]
  readonly named: NamedWait
  readonly attempts: readonly AttemptWaits[]
}

/** The cases in which no refusal named a wait that could be used, the plays of each taken together. */
export const lonelyCases = (stories: readonly Story[]): readonly LonelyCase[] => {
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

/**
 * The attempts that the end of the time has not cut off, in all plays but one: of a play that was cut off, only the
 * short waits are known, and a median of those would be too low.
 */
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
