import { countBelow } from './sorted-counts.js'
import type { Tally } from './tally.js'

/** Starts b in (from, to] whose window [b, b + W) certainly holds more admissions than the limit; `count` at most. */
export interface OverfullStarts {
  readonly from: number
  readonly to: number
  readonly count: number
  /** A start within (from, to] at which `count` is reached. */
  readonly at: number
}

/**
 * Every start of a window that certainly holds more than `limit` admissions, as disjoint ascending stretches. The
 * number held by [b, b + W) is that of answers before b + W less that of requests before b, so one sweep over both
 * sorted columns finds them.
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

/** The excess of windows that do not overlap: about as many admissions as would have to be explained away. */
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

/** The stretch that holds the most. */
export const fullestWindow = (overfull: readonly OverfullStarts[]): OverfullStarts | undefined =>
  overfull.reduce<OverfullStarts | undefined>(
    (most, each) => (most && most.count >= each.count ? most : each),
    undefined,
  )
