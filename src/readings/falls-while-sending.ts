import type { QuotaWindow } from '../contract/plans.js'
import type { KeyRecord } from './key-record.js'
import { mostOfOthers } from './other-users.js'

/** Requests with less than this share of a window between them are one stretch of sending; what is between stretches is a pause. */
const pauseShare = 0.01

/** Requests with no pause between them, and what their answers show of one window; `reset` is null where they show several. */
interface Stretch {
  readonly startMs: number
  endMs: number
  reset: number | null | undefined
  most: number
  least: number
  own: number
  readonly firstCosts: number
}

const stretchesOf = (record: KeyRecord, { limit, windowMs }: QuotaWindow): readonly Stretch[] => {
  const { size, status, ordinary, remaining, reset, sentMs, receivedMs } = record
  const stretches: Stretch[] = []
  for (let row = 0; row < size; row += 1) {
    // What is refused costs nothing, and shows nothing left.
    if (status[row] === 429) continue
    const costs = ordinary[row] === 1 ? 1 : mostOfOthers
    let last = stretches.at(-1)
    if (last === undefined || sentMs[row] - last.endMs > pauseShare * windowMs) {
      const nothing = { reset: undefined, most: Number.NEGATIVE_INFINITY, least: Number.POSITIVE_INFINITY, own: 0 }
      last = { startMs: sentMs[row], endMs: sentMs[row], ...nothing, firstCosts: costs }
      stretches.push(last)
    }
    last.own += costs
    if (receivedMs[row] > last.endMs) last.endMs = receivedMs[row]
    if (record.limit[row] !== limit || !Number.isInteger(reset[row]) || Number.isNaN(remaining[row])) continue
    last.reset = last.reset === undefined || last.reset === reset[row] ? reset[row] : null
    last.most = Math.max(last.most, remaining[row])
    last.least = Math.min(last.least, remaining[row])
  }
  return stretches
}

/** How likely at most `most` of `count` things are that each come with this chance. */
const chanceOfAtMost = (most: number, count: number, chance: number): number => {
  let [each, sum] = [(1 - chance) ** count, 0]
  for (let i = 0; i <= most; i += 1) {
    sum += each
    each *= ((count - i) / (i + 1)) * (chance / (1 - chance))
  }
  return sum
}

/** The first request behind a pause may be one that counts twice: so many more fell in pauses at most, as a share of the others. */
const mostInPauses = 0.25

/** Of runs in which somebody else uses the keys, one in 10,000 may blame the limiter. */
const leastLikely = 1e-4

/**
 * Whether Remaining falls by more than this run spends only while it sends, and hardly ever in its pauses. Then nobody else uses
 * the keys: the limiter counts some requests twice. Only windows that Reset names tell.
 *
 * Example: 19 stretches of 4 s in all each show a few too many spent, and pauses of 27 s in all show none. Somebody else would
 * come 19 times in those 4 s of 31 by a chance of (4 / 31) ^ 19.
 */
export const fallsOnlyWhileSending = (
  keys: readonly { readonly record: KeyRecord; readonly window: QuotaWindow }[],
): boolean => {
  let [sendingMs, pausedMs, whileSending, inPauses] = [0, 0, 0, 0]
  for (const { record, window } of keys) {
    const stretches = stretchesOf(record, window)
    for (const [place, { startMs, endMs, reset, most, least, own, firstCosts }] of stretches.entries()) {
      if (reset === undefined || reset === null) continue
      const before = stretches[place - 1]
      if (before?.reset === reset && before.least > 0) {
        pausedMs += startMs - before.endMs
        inPauses += Math.max(0, before.least - firstCosts - most)
      }
      sendingMs += endMs - startMs
      const beyond = most - least + 1 - own
      if (beyond > 0 && 2 * beyond < own) whileSending += 1
    }
  }
  const pauses = pausedMs / (sendingMs + pausedMs)
  const isSeldom = inPauses <= mostInPauses * whileSending
  return isSeldom && chanceOfAtMost(inPauses, whileSending + inPauses, pauses) < leastLikely
}
