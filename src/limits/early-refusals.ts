import { rangeMaximum } from './range-maximum.js'
import { countUpTo } from './sorted-counts.js'
import type { Tally } from './tally.js'

/**
 * How much can have been in use at instant d, where `sent` is the number of possible spendings sent by then. Between
 * two spendings it must not rise.
 */
export type UsageAt = (sent: number, instant: number) => number

/**
 * The refused (by index) that no instant of their interval explains: at each of them the greatest possible usage is
 * below `needed`. It rises only where something was sent, so it is looked at there and at the interval's start.
 */
export const earlyRefusals = (tally: Tally, usageAt: UsageAt, needed: number): number[] => {
  const { history, refused, spentBefore, spentSent } = tally
  let between: ((from: number, to: number) => number) | null = null
  const found: number[] = []
  for (let k = 0; k < refused.length; k++) {
    const sentMs = history.sentMs[refused[k]]
    const sent = countUpTo(spentSent, sentMs)
    if (usageAt(sent, sentMs) >= needed) continue
    between ??= rangeMaximum(usageAtEachSending(spentSent, usageAt))
    if (between(sent, spentBefore[k]) < needed) found.push(refused[k])
  }
  return found
}

const usageAtEachSending = (spentSent: Float64Array, usageAt: UsageAt): Float64Array =>
  spentSent.map((instant, index) =>
    instant === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : usageAt(index + 1, instant),
  )
