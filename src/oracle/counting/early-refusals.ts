import { countUpTo } from '../../kit/numbers.js'
import { onceFor } from '../../kit/once-for.js'
import { rangeMaximum } from './spans.js'
import type { Tally } from './tally.js'

/**
 * The most that a limiter can have counted at an instant, given how many requests that may have spent quota were sent by
 * then. It must not rise between two such requests.
 */
export type UsageAt = (sent: number, instant: number) => number

/** How many of the refusals that were treated as admissions still count, `sinceMs` after the last of them. */
type Fading = (sinceMs: number, count: number) => number

/**
 * The refusals (indices into the history) that come too early: at no instant between sending and answer can the limiter have
 * counted as many as `needed`. The count rises only when a request is sent, so only those instants and the interval's start
 * are checked. A request for several units needs correspondingly fewer. Each refusal found counts as an admission for the
 * later ones, so that as few as possible are found. The search ends at `most` of them.
 *
 * Example, a log with L = 3: two requests were admitted at 0 and 1 s, and three refused at 2, 3 and 4 s. The log held two at
 * 2 s, so that refusal is early. Had it been an admission, the others would be right: one is found, not three.
 */
export const earlyRefusals = (
  tally: Tally,
  usageAt: UsageAt,
  needed: number,
  fading: Fading,
  most = Number.POSITIVE_INFINITY,
): number[] => {
  const { refused, refusedSent, spentBefore, spentSent, askedBeyond } = tally
  let between: ((from: number, to: number) => number) | null = null
  const found: number[] = []
  let [explainedAway, lastMs] = [0, Number.NEGATIVE_INFINITY]
  for (let k = 0; k < refused.length && found.length < most; k++) {
    const sentMs = refusedSent[k]
    const sent = countUpTo(spentSent, sentMs)
    const least = needed - (askedBeyond?.[k] ?? 0)
    if (usageAt(sent, sentMs) >= least) continue
    between ??= rangeMaximum(usageAtEachSending(spentSent, usageAt))
    const used = Math.max(between(sent, spentBefore[k]), usageAt(sent, sentMs))
    if (used >= least) continue
    explainedAway = fading(sentMs - lastMs, explainedAway)
    lastMs = sentMs
    if (used + explainedAway >= least) continue
    explainedAway++
    found.push(refused[k])
  }
  return found
}

const usageAtEachSending = (spentSent: Float64Array, usageAt: UsageAt): Float64Array => {
  const usage = new Float64Array(spentSent.length).fill(Number.NEGATIVE_INFINITY)
  for (let i = countUpTo(spentSent, Number.NEGATIVE_INFINITY); i < usage.length; i++)
    usage[i] = usageAt(i + 1, spentSent[i])
  return usage
}

/** Starts b in (from, to] of windows [b, b + W) that certainly hold more admissions than the limit. */
export interface OverfullStarts {
  readonly from: number
  readonly to: number
  /** The most admissions that one of these windows certainly holds. */
  readonly count: number
  /** The start of a window that holds this many. */
  readonly at: number
}

/**
 * The starts of all windows that certainly hold more than `limit` admissions, as ascending intervals. [b, b + W) certainly
 * holds the answers before b + W less the requests sent before b, so one sweep over the two sorted columns finds them. Four
 * admissions between 10 and 20 s, with L = 3 and W = 60 s, give (-40, 10] s.
 */
export const overfullStarts = onceFor(
  ({ admittedSent, admittedReceived, limit, windowMs }: Tally): OverfullStarts[] => {
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
  },
)

/** The same for two consecutive windows, by the start of the first: together they hold at most 2 L. */
export const overfullPairs = onceFor((tally: Tally): OverfullStarts[] =>
  overfullStarts({ ...tally, limit: 2 * tally.limit, windowMs: 2 * tally.windowMs }),
)

const nextStart = (sent: Float64Array, received: Float64Array, left: number, entered: number, windowMs: number) =>
  Math.min(sent[left], entered < received.length ? received[entered] - windowMs : Number.POSITIVE_INFINITY)

/** The starts of the fullest windows; undefined if none is too full. */
export const fullestWindow = (overfull: readonly OverfullStarts[]): OverfullStarts | undefined =>
  overfull.reduce<OverfullStarts | undefined>(
    (most, each) => (most && most.count >= each.count ? most : each),
    undefined,
  )
