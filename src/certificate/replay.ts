import { medianOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import type { Random } from '../kit/random.js'
import { type History, outcomes } from '../readings/history.js'
import type { Limiter } from './limiters.js'

/** A request that nobody answered was decided so long after it was sent at most, if it was decided at all. */
const latestWithoutAnswerMs = 100

/** When a target may have decided the requests, and their rows in that order. */
interface Drawn {
  readonly instants: Float64Array
  readonly order: Uint32Array
}

/** The shortest time that a request took: as long as that each is on its way. */
const wayMs = onceFor(({ sentMs, receivedMs }: History): number => {
  const shortest = receivedMs.reduce((least, ms, i) => Math.min(least, ms - sentMs[i]), Number.POSITIVE_INFINITY)
  return Number.isFinite(shortest) ? shortest : 0
})

/**
 * Instants drawn within the requests' intervals. What even the fastest took is the way to the target and back, in parts that are
 * nobody's to know, but the same for all: of answers within 50 to 54 ms each was decided within 4 ms.
 *
 * @param isLast whether the target decides when it answers, and not at any time before.
 */
export const drawnFor = (history: History, random: Random, isLast = false): Drawn => {
  const { size, sentMs, receivedMs } = history
  const instants = new Float64Array(size)
  const bothWaysMs = wayMs(history)
  const thereMs = bothWaysMs * random.float()
  for (let i = 0; i < size; i += 1) {
    const tookMs = receivedMs[i] - sentMs[i]
    const isAnswered = tookMs !== Number.POSITIVE_INFINITY
    const openMs = isAnswered ? tookMs - bothWaysMs : latestWithoutAnswerMs
    instants[i] = sentMs[i] + (isAnswered ? thereMs : 0) + openMs * (isLast && isAnswered ? 1 : random.float())
  }
  return { instants, order: inOrder(instants) }
}

/** Places by instant. The instants are nearly in order, for only requests that were under way at once can change places. */
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

/** The limiter that decides a request of the history; what is counted apart has limiters of its own. */
export type LimiterOf = (row: number) => Limiter

/**
 * The history as it would have been had this limiter decided its requests, at these instants.
 * Times stay as they were recorded: where a client waited as an answer told it, it waits as long again. What is excused
 * stays excused, and what is unknown stays unknown and is counted as if it had asked for one, but for what the limiter is to
 * decide all the same.
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

/** Stretches in which requests were under way without a break: the row behind the last of each. */
const stretchEnds = onceFor(({ size, sentMs, receivedMs }: History): number[] => {
  const ends: number[] = []
  let underWayUntil = Number.NEGATIVE_INFINITY
  for (let i = 0; i < size; i += 1) {
    if (i > 0 && sentMs[i] > underWayUntil) ends.push(i)
    if (receivedMs[i] !== Number.POSITIVE_INFINITY) underWayUntil = Math.max(underWayUntil, receivedMs[i])
  }
  return [...ends, size]
})

/** So many answers to simultaneous requests tell at what pace a target decides. */
const leastPaced = 30

/**
 * How far apart simultaneous requests are answered at the middle, in milliseconds; 0 where few are simultaneous. A target that
 * serves one request after the other, each in 15 ms, answers a burst 15 ms apart.
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
 * How far two outcomes of the same requests are apart: of each stretch in which requests overlapped, by how many admissions
 * the two differ. Within a stretch the order is nobody's to know.
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
