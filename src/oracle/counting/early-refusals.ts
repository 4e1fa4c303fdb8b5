import { countUpTo } from '../../kit/sorted-counts.js'
import { rangeMaximum } from './range-maximum.js'
import type { Tally } from './tally.js'

/**
 * The most that a limiter can have counted at an instant, given how many requests that may have spent were sent by
 * then. It must not rise between two such requests.
 */
export type UsageAt = (sent: number, instant: number) => number

/** How many of the refusals that were explained away still count, `sinceMs` after the last of them. */
export type Fading = (sinceMs: number, count: number) => number

/**
 * The refusals (indices into the history) that come too early: at no instant of their interval can the limiter have
 * counted as much as `needed`. The count rises only when something is sent, so only those instants and the interval's
 * start are looked at. What asks for several units needs as many fewer. A refusal that is found counts as a request for those after it, so that the fewest are found.
 *
 * Example, a log with L = 3: two were admitted at 0 and 1 s, and three refused at 2, 3 and 4 s. The log held two at 2
 * s, so that refusal is early. Had it been an admission, the others would be right: one is found, not three.
 */
export const earlyRefusals = (tally: Tally, usageAt: UsageAt, needed: number, fading: Fading): number[] => {
  const { history, refused, spentBefore, spentSent, askedBeyond } = tally
  let between: ((from: number, to: number) => number) | null = null
  const found: number[] = []
  let [explainedAway, lastMs] = [0, Number.NEGATIVE_INFINITY]
  for (let k = 0; k < refused.length; k++) {
    const sentMs = history.sentMs[refused[k]]
    const sent = countUpTo(spentSent, sentMs)
    const least = needed - (askedBeyond?.[k] ?? 0)
    if (usageAt(sent, sentMs) >= least) continue
    between ??= rangeMaximum(usageAtEachSending(spentSent, usageAt))
    const most = Math.max(between(sent, spentBefore[k]), usageAt(sent, sentMs))
    if (most >= least) continue
    explainedAway = fading(sentMs - lastMs, explainedAway)
    lastMs = sentMs
    if (most + explainedAway >= least) continue
    explainedAway++
    found.push(refused[k])
  }
  return found
}

const usageAtEachSending = (spentSent: Float64Array, usageAt: UsageAt): Float64Array =>
  spentSent.map((instant, index) =>
    instant === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : usageAt(index + 1, instant),
  )
