import { countBelow } from '../../kit/sorted-counts.js'
import type { Tally } from './tally.js'

/** Starts b in (from, to] of windows [b, b + W) that certainly hold more admissions than the limit. */
export interface OverfullStarts {
  readonly from: number
  readonly to: number
  /** The most admissions that one of these windows certainly holds. */
  readonly count: number
  /** The start of a window that holds so many. */
  readonly at: number
}

/**
 * The starts of all windows that certainly hold more than `limit` admissions, in ascending intervals. What [b, b + W)
 * certainly holds is the number of answers before b + W less the number of requests sent before b, so that one sweep
 * over the two sorted columns finds them. Four admissions between 10 and 20 s, with L = 3 and W = 60 s, give (-40, 10]
 * s.
 */
export const overfullStarts = ({ admittedSent, admittedReceived, limit, windowMs }: Tally): OverfullStarts[] => {
  const found: OverfullStarts[] = []
  const size = admittedSent.length
  let [left, entered] = [0, 0]
  let open: { from: number; count: number; at: number } | null = null
  while (left < size) {
    const entry = entered < size ? admittedReceived[entered] - windowMs : Number.POSITIVE_INFINITY
    const value = Math.min(entry, admittedSent[left])
    while (entered < size && admittedReceived[entered] - windowMs <= value) entered++
    while (left < size && admittedSent[left] <= value) left++
    const held = entered - left
    if (held > limit) {
      const at = nextStart(admittedSent, admittedReceived, left, entered, windowMs)
      if (open === null) open = { from: value, count: held, at }
      else if (held > open.count) open = { from: open.from, count: held, at }
    } else if (open !== null) {
      found.push({ ...open, to: value })
      open = null
    }
  }
  return found
}

const nextStart = (sent: Float64Array, received: Float64Array, left: number, entered: number, windowMs: number) =>
  Math.min(sent[left], entered < received.length ? received[entered] - windowMs : Number.POSITIVE_INFINITY)

/** Admissions beyond the limit, summed over windows that do not overlap: about as many as have to be explained away. */
export const excessOf = (overfull: readonly OverfullStarts[], tally: Tally): number => {
  const { admittedSent, admittedReceived, limit, windowMs } = tally
  let excess = 0
  let free = Number.NEGATIVE_INFINITY
  for (const { from, to, at } of overfull) {
    const first = at - windowMs * Math.floor((at - from) / windowMs)
    for (let b = first; b <= to; b += windowMs) {
      if (b < free) continue
      excess += Math.max(0, countBelow(admittedReceived, b + windowMs) - countBelow(admittedSent, b) - limit)
      free = b + windowMs
    }
  }
  return excess
}

/** The starts of the fullest windows; undefined where none is too full. */
export const fullestWindow = (overfull: readonly OverfullStarts[]): OverfullStarts | undefined =>
  overfull.reduce<OverfullStarts | undefined>(
    (most, each) => (most && most.count >= each.count ? most : each),
    undefined,
  )
