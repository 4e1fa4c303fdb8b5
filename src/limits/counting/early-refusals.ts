import { rangeMaximum } from './range-maximum.js'
import { countUpTo } from './sorted-counts.js'
import type { Tally } from './tally.js'

/**
 * How much can have been in use at instant d, where `sent` is the number of possible spendings sent by then. Between
 * two spendings it must not rise.
 */
export type UsageAt = (sent: number, instant: number) => number

/** How many of the refusals that were explained away still count after some time, given how long ago each was. */
export type Fading = (sinceMs: number, count: number) => number

/**
 * The refused (by index) that no instant of their interval explains: at each of them the greatest possible usage is
 * below `needed`. It rises only where something was sent, so it is looked at there and at the interval's start. One
 * that is found counts as a spending for those after it, until it fades: so as few as may be are found.
 */
export const earlyRefusals = (tally: Tally, usageAt: UsageAt, needed: number, fading: Fading): number[] => {
  const { history, refused, spentBefore, spentSent } = tally
  let between: ((from: number, to: number) => number) | null = null
  const found: number[] = []
  let [explainedAway, lastMs] = [0, Number.NEGATIVE_INFINITY]
  for (let k = 0; k < refused.length; k++) {
    const sentMs = history.sentMs[refused[k]]
    const sent = countUpTo(spentSent, sentMs)
    if (usageAt(sent, sentMs) >= needed) continue
    between ??= rangeMaximum(usageAtEachSending(spentSent, usageAt))
    const most = Math.max(between(sent, spentBefore[k]), usageAt(sent, sentMs))
    if (most >= needed) continue
    explainedAway = fading(sentMs - lastMs, explainedAway)
    lastMs = sentMs
    if (most + explainedAway >= needed) continue
    explainedAway++
    found.push(refused[k])
  }
  return found
}

const usageAtEachSending = (spentSent: Float64Array, usageAt: UsageAt): Float64Array =>
  spentSent.map((instant, index) =>
    instant === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : usageAt(index + 1, instant),
  )
