import { medianOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import type { Random } from '../kit/random.js'
import { type History, outcomes } from '../readings/history.js'
import type { Limiter } from './limiters.js'

/** An unanswered request was decided within this time after it was sent, if at all. */
const latestWithoutAnswerMs = 100

/** When a target may have decided the requests, and their rows in that order. */
interface Drawn {
  readonly instants: Float64Array
  readonly order: Uint32Array
}

/** The shortest time that a request took: each request is in transit for at least that long. */
const wayMs = onceFor(({ sentMs, receivedMs }: History): number => {
  const shortest = receivedMs.reduce((least, ms, i) => Math.min(least, ms - sentMs[i]), Number.POSITIVE_INFINITY)
  return Number.isFinite(shortest) ? shortest : 0
})

/**
 * Instants drawn within the requests' intervals. The shortest round trip is the way there and back, split in a way that
 * nobody knows but that is the same for all: of round trips of 50 to 54 ms, each decision falls within 4 ms.
 */
export const drawnFor = (history: History, random: Random): Drawn => {
  const { size, sentMs, receivedMs } = history
  const instants = new Float64Array(size)
  const bothWaysMs = wayMs(history)
  const thereMs = bothWaysMs * random.float()
  for (let i = 0; i < size; i += 1) {
    const tookMs = receivedMs[i] - sentMs[i]
    const isAnswered = tookMs !== Number.POSITIVE_INFINITY
    const openMs = isAnswered ? tookMs - bothWaysMs : latestWithoutAnswerMs
    instants[i] = sentMs[i] + (isAnswered ? thereMs : 0) + openMs * random.float()
  }
  return { instants, order: inOrder(instants) }
}

/** Indices by instant. The instants are nearly in order, since only concurrent requests can change places. */
const inOrder = (instants: Float64Array): Uint32Array => {
  const order = new Uint32Array(instants.length)
  for (let i = 0; i < instants.length; i += 1) {
    const instant = instants[i]
    let at = i
    for (; at > 0 && instants[order[at - 1]] > instant; at -= 1) order[at] = order[at - 1]
    order[at] = i
  }
  return order
}

/** The limiter that decides a request of the history; separate counts have limiters of their own. */
export type LimiterOf = (row: number) => Limiter

/**
 * The history as it would have been if this limiter had decided its requests, at these instants. Times stay as recorded: a
 * client that waited because of an answer waits just as long again. Excused requests stay excused; unknown ones stay unknown
 * and count as one unit, unless `decidesToo` names them.
 */
export const replayed = (
  history: History,
  limiterOf: LimiterOf,
  { instants, order }: Drawn,
  decidesToo?: ReadonlySet<number>,
): History => {
  const { outcome, asked } = history
  const decided = outcome.slice()
  for (const i of order) {
    if (outcome[i] === outcomes.excused && !decidesToo?.has(i)) continue
    const isAdmitted = limiterOf(i).decide(instants[i], asked?.[i] ?? 1)
    if (outcome[i] !== outcomes.unknown || decidesToo?.has(i))
      decided[i] = isAdmitted ? outcomes.admitted : outcomes.refused
  }
  return { ...history, outcome: decided }
}

/** Stretches with requests in transit without a break: the index after the last row of each. */
const stretchEnds = onceFor(({ size, sentMs, receivedMs }: History): number[] => {
  const ends: number[] = []
  let underWayUntil = Number.NEGATIVE_INFINITY
  for (let i = 0; i < size; i += 1) {
    if (i > 0 && sentMs[i] > underWayUntil) ends.push(i)
    if (receivedMs[i] !== Number.POSITIVE_INFINITY) underWayUntil = Math.max(underWayUntil, receivedMs[i])
  }
  return [...ends, size]
})

/** How many gaps between simultaneous answers are needed to know a target's pace. */
const leastPaced = 30

/**
 * The median gap between answers to simultaneous requests, in milliseconds; 0 if few are simultaneous. A target that serves
 * requests one after the other, in 15 ms each, answers a burst 15 ms apart.
 */
export const answersApart = (history: History): number => {
  const gaps: number[] = []
  let from = 0
  for (const end of stretchEnds(history)) {
    const answered = history.receivedMs.slice(from, end).filter(Number.isFinite).sort()
    for (let i = 1; i < answered.length; i += 1) gaps.push(answered[i] - answered[i - 1])
    from = end
  }
  return gaps.length < leastPaced ? 0 : medianOf(gaps.sort((a, b) => a - b))
}

/**
 * How much two outcomes of the same requests differ: the difference in admissions, summed over the stretches of overlapping
 * requests. Within a stretch nobody knows the order.
 */
export const differenceOf = (one: History, other: History): number => {
  let [sum, from] = [0, 0]
  for (const end of stretchEnds(one)) {
    let surplus = 0
    for (let i = from; i < end; i += 1) {
      if (one.outcome[i] === outcomes.admitted) surplus += 1
      if (other.outcome[i] === outcomes.admitted) surplus -= 1
    }
    sum += Math.abs(surplus)
    from = end
  }
  return sum
}
