import { countBelow, countUpTo } from '../../kit/sorted-counts.js'

/** The requests of a run, and the part of a quota that each counts in; -1 for none. */
export interface Spending {
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
  readonly part: Int32Array
  readonly costOf: (request: number) => number
}

/** How much of the part in which a request counts can have been spent between two instants. */
export type SpentWithin = (request: number, fromMs: number, toMs: number) => number

interface Column {
  /** Ascending. */
  readonly atMs: Float64Array
  /** What those before each place cost together; one more than there are instants. */
  readonly costBefore: Float64Array
}

const columnOf = (requests: readonly number[], atMs: Float64Array, costOf: (request: number) => number): Column => {
  const sorted = [...requests].sort((a, b) => atMs[a] - atMs[b])
  const costBefore = new Float64Array(sorted.length + 1)
  sorted.forEach((request, place) => {
    costBefore[place + 1] = costBefore[place] + costOf(request)
  })
  return { atMs: Float64Array.from(sorted, (request) => atMs[request]), costBefore }
}

/**
 * Counts the requests that were sent until one instant and not answered before another, in O(log n) each: the rest
 * cannot have been decided between the two.
 */
export const spentWithin = (spending: Spending, spends: (request: number) => boolean): SpentWithin => {
  const { sentMs, receivedMs, part, costOf } = spending
  const byPart = new Map<number, number[]>()
  part.forEach((each, request) => {
    if (each < 0 || !spends(request)) return
    const known = byPart.get(each)
    if (known) known.push(request)
    else byPart.set(each, [request])
  })
  const columns = new Map(
    [...byPart].map(([each, requests]) => [
      each,
      { sent: columnOf(requests, sentMs, costOf), received: columnOf(requests, receivedMs, costOf) },
    ]),
  )
  return (request, fromMs, toMs) => {
    const own = columns.get(part[request])
    if (!own) return 0
    const { sent, received } = own
    return sent.costBefore[countUpTo(sent.atMs, toMs)] - received.costBefore[countBelow(received.atMs, fromMs)]
  }
}
