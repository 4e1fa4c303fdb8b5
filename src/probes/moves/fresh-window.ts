import { secondMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { ProbeContext } from '../probe.js'
import { leastBeyondLimit } from './loads.js'

/** Targets' clocks and ours drift apart: a window may last a hundredth longer by ours. */
export const driftMargin = 1.01
/** And an answer may be decided so long after a request was sent, by a target that is near; a far or slow one takes longer. */
export const nearAnswerMs = 50

const wholeWindowMs = (context: ProbeContext): number =>
  context.windowMs * driftMargin + Math.max(nearAnswerMs, context.longestRoundTripMs())

/** Requests that opening a fresh window takes at most: an old window may be met, and one that is nearly over. */
export const mostOpeners = 3

/** Round trips under load take up to half as long again as the longest that was seen. */
export const roundTripMargin = 1.5

/** What connecting and starting a load takes, beside its requests. */
const startOfLoadMs = 300
/** No load is given more of a window than this share: else no window would ever be long enough on a slow target. */
const mostOfWindow = 0.7
/** Nor one that is held to a pace, of which it is known how long it takes: what is left is for what is asked after it. */
export const mostOfWindowInPace = 0.9

/** How long it takes to send the limit and what shows an extra admission, where the key is held to a pace; else 0. */
const spendingInPaceMs = ({ key, mostPerSecond, windowMs }: ProbeContext): number =>
  key.isSpentInGroups ? mostOfWindow * windowMs : ((key.quota.limit + leastBeyondLimit) * 1000) / mostPerSecond
/** A window that ends at its Reset is open to the next request so long after it. */
const afterResetMs = 20

/**
 * How far behind its beginning the window after a silent one is used, in windows: so far that its opener and its load are in one
 * window by any clock, and elsewhere where a load is played again. The beginning that would hide something is another one then.
 */
const intoWindow = (silence: number): number => (silence > 1 ? 0.2 : 0.05)

/** How many windows of silence come before a load, and how much of a window it takes. */
interface Wanted {
  readonly silence: number
  readonly neededMs: number
}

/** When nothing counts any more of what was sent in the window that ends then: after one more, in any grid that has this end. */
const freshAfter = ({ windowMs }: ProbeContext, endsAt: number, { silence, neededMs }: Wanted): number => {
  // An end that is told in whole seconds may be a second earlier, and so may the next one.
  const spareMs = windowMs - neededMs - 2 * secondMs - nearAnswerMs
  return endsAt + windowMs + afterResetMs + Math.max(0, Math.min(spareMs, intoWindow(silence) * windowMs))
}

/** Whether the window that the opener opened or found is whole and lasts for `neededMs` more; else when to retry. */
const isFresh = (context: ProbeContext, opener: Exchange, wanted: Wanted): { fresh: boolean; retryAt: number } => {
  const { neededMs, silence } = wanted
  const { limit, remaining, resetAt } = context.hintsOf(opener)
  const idleAt = context.now() + silentFor(context, Math.max(1, silence)) * wholeWindowMs(context)
  const afterSilence = resetAt === undefined ? idleAt : freshAfter(context, Math.max(resetAt, context.now()), wanted)
  if (opener.response?.status !== 200) return { fresh: false, retryAt: idleAt }
  if (limit !== context.key.quota.limit || remaining === undefined) return { fresh: silence > 0, retryAt: idleAt }
  // Behind others' requests a window has been used; a bucket that was spent has less than half.
  if (remaining < (silence > 0 ? limit - 1 : limit / 2))
    return { fresh: false, retryAt: context.carriesOver() ? Math.min(afterSilence, idleAt) : idleAt }
  // The Reset of a bucket is always near, and ends nothing.
  if (context.comesBackInBits()) return { fresh: true, retryAt: 0 }
  // A Reset in whole seconds promises a window that has just begun a second less than it has: no later one has more.
  const mostPromisedMs = context.windowMs - secondMs - nearAnswerMs
  const endsTooSoon = resetAt !== undefined && resetAt - secondMs < context.now() + Math.min(neededMs, mostPromisedMs)
  if (!endsTooSoon) return { fresh: true, retryAt: 0 }
  // It may be a bucket's, which is always near: that is waited for, but no longer than a window of silence.
  if (silence <= 1 && !context.carriesOver()) return { fresh: false, retryAt: Math.min(resetAt + afterResetMs, idleAt) }
  // The opener has broken a silence, and would count on: it is kept once more.
  return { fresh: false, retryAt: afterSilence }
}

/** Where spending takes no longer than this share of a window, its end seldom comes before what is asked then. */
const mostMissed = 0.25

/** Whether a shorter quota holds the key to a pace at which much of a window is over when its limit is spent. */
export const isSlowToSpend = (context: ProbeContext): boolean =>
  context.key.mostPerWindow !== undefined && spendingInPaceMs(context) > mostMissed * context.windowMs

/** How much of a window a load takes that sends so many requests over each of its connections. */
const neededFor = (context: ProbeContext, requestsPerConnection: number, askedForMs: number): number => {
  const byAnswersMs = startOfLoadMs + requestsPerConnection * context.longestRoundTripMs() * roundTripMargin
  const inPaceMs = startOfLoadMs + spendingInPaceMs(context)
  return Math.max(
    askedForMs,
    Math.min(byAnswersMs, context.windowMs * mostOfWindow),
    Math.min(inPaceMs, context.windowMs * mostOfWindowInPace),
  )
}

/**
 * The windows of silence after which nothing that was sent before counts any more. A sliding counter weighs the window before,
 * too, and rounds: with 18 of 60 carried over, one that rounds down is like one of 61 that rounds up.
 */
const silentFor = (context: ProbeContext, windows: number): number =>
  context.carriesOver() ? Math.max(2, windows) : windows

/** Waits until nothing counts any more that was sent on the key: a whole window, or as many as are asked for. */
export const beSilent = async (context: ProbeContext, windows = 1, neededMs = 0): Promise<void> => {
  const lastUsedAt = context.lastUsedAt()
  // Another key may show meanwhile that one window is not enough.
  for (let silent = 0; silent < silentFor(context, windows); ) {
    silent = silentFor(context, windows)
    const idleAt = lastUsedAt + silent * wholeWindowMs(context)
    const endsAt = context.carriesOver() && silent === 2 ? context.windowEndAfter(lastUsedAt) : undefined
    const until =
      endsAt === undefined ? idleAt : Math.min(idleAt, freshAfter(context, endsAt, { silence: windows, neededMs }))
    await context.waitUntil(until, 'its quota to be full again')
  }
}

/**
 * Opens a window with a single request after so many windows of silence, so that its start is known to a round trip. Where the answer
 * shows that the window is used or nearly over, waits for the next one; resolves to the last of at most {@link
 * mostOpeners}.
 *
 * @param askedForMs how long questions follow the load, which the same window has to refuse.
 */
export const openFreshWindow = async (
  context: ProbeContext<'opener'>,
  requestsPerConnection: number,
  silence = 1,
  askedForMs = 0,
): Promise<Exchange> => {
  if (silence > 0) await beSilent(context, silence, neededFor(context, requestsPerConnection, askedForMs))
  for (let tries = 1; ; tries += 1) {
    const opener = await context.askOnce({ step: 'opener', ...context.ordinary })
    const neededMs = neededFor(context, requestsPerConnection, askedForMs)
    const { fresh, retryAt } = isFresh(context, opener, {
      neededMs,
      silence: tries === 1 ? silence : Math.max(1, silence),
    })
    if (fresh || tries === mostOpeners) return opener
    await context.waitUntil(retryAt, 'a fresh window that is long enough for the next requests')
  }
}
