import { secondMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { ProbeContext } from '../probe.js'
import { leastBeyondLimit } from './loads.js'

/** Targets' clocks and ours drift apart: a window may last a hundredth longer by ours. */
export const driftMargin = 1.01
/** A near target decides a request at most this long after it was sent; a far or slow one may take longer. */
export const nearAnswerMs = 50

const wholeWindowMs = (context: ProbeContext): number =>
  context.windowMs * driftMargin + Math.max(nearAnswerMs, context.longestRoundTripMs())

/** The most requests to open a fresh window: they may meet an old one, and one that is nearly over. */
export const mostOpeners = 3

/** Round trips under load take up to 1.5 times the longest one seen. */
export const roundTripMargin = 1.5

/** What connecting and starting a load takes, beside its requests. */
const startOfLoadMs = 300
/** The largest share of a window that a load gets: with more, no window would ever be long enough on a slow target. */
const mostOfWindow = 0.7
/** The same for a load held to a pace, whose length is known: the rest is for what is asked after it. */
export const mostOfWindowInPace = 0.9

/** How long a key held to a pace takes to send its limit and what shows an extra admission; 0 for others. */
const spendingInPaceMs = ({ key, mostPerSecond, windowMs }: ProbeContext): number =>
  key.isSpentInGroups ? mostOfWindow * windowMs : ((key.quota.limit + leastBeyondLimit) * 1000) / mostPerSecond
/** How long after its Reset a window that ended is open to the next request. */
const afterResetMs = 20

/**
 * How far into the window after a silent one it is used, in windows: so far that opener and load are in one window by
 * any clock. A load that is played again uses another place: then another window's beginning could hide something.
 */
const intoWindow = (silence: number): number => (silence > 1 ? 0.2 : 0.05)

interface Wanted {
  readonly silence: number
  readonly neededMs: number
}

/** When nothing counts that was sent in the window that ends at `endsAt`: one window later, in any grid with that end. */
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
  // Others have used the window; or, without a silence, a spent bucket holds less than half.
  if (remaining < (silence > 0 ? limit - 1 : limit / 2))
    return { fresh: false, retryAt: context.carriesOver() ? Math.min(afterSilence, idleAt) : idleAt }
  // The Reset of a bucket is always near, and ends nothing.
  if (context.comesBackInBits()) return { fresh: true, retryAt: 0 }
  // A Reset in whole seconds may promise a window that has just begun a second less: no later one promises more.
  const mostPromisedMs = context.windowMs - secondMs - nearAnswerMs
  const endsTooSoon = resetAt !== undefined && resetAt - secondMs < context.now() + Math.min(neededMs, mostPromisedMs)
  if (!endsTooSoon) return { fresh: true, retryAt: 0 }
  // It may be a bucket's Reset, which is always near: wait for it, but no longer than a window of silence.
  if (silence <= 1 && !context.carriesOver()) return { fresh: false, retryAt: Math.min(resetAt + afterResetMs, idleAt) }
  // The opener broke the silence, and would still count: be silent once more.
  return { fresh: false, retryAt: afterSilence }
}

/** If spending takes no longer than this share of a window, the window seldom ends before what is asked next. */
const mostMissed = 0.25

/** Whether a shorter quota holds the key to a pace so slow that much of a window is over once its limit is spent. */
export const isSlowToSpend = (context: ProbeContext): boolean =>
  context.key.mostPerWindow !== undefined && spendingInPaceMs(context) > mostMissed * context.windowMs

/** How much of a window a load takes that sends this many requests over each connection, in ms. */
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
 * After how many windows of silence nothing that was sent before counts any more. A sliding counter weighs the window
 * before, too, and rounds: with 18 of 60 carried over, one that rounds down is like one of 61 that rounds up.
 */
const silentFor = (context: ProbeContext, windows: number): number =>
  context.carriesOver() ? Math.max(2, windows) : windows

/** Waits until nothing that was sent on the key counts any more: a whole window, or as many as asked for. */
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
 * Opens a window with a single request after `silence` silent windows, so that its start is known to a round trip. If
 * the answer shows that the window is used or nearly over, waits for the next one; resolves to the last of at most
 * {@link mostOpeners} answers.
 *
 * @param askedForMs how long the questions after the load go on, which the same window has to refuse.
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
