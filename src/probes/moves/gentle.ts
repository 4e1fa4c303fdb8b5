import { secondMs } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import { type LedgerRows, lastAnswerUs } from '../../evidence/ledger.js'
import { ProbeBlocked, type ProbeContext, type Return } from '../probe.js'

/** A Reset this much before Retry-After is worth a request: the two disagree by more than their answers took. */
const clearlyBeforeMs = 200

/** The most that {@link askGently} and one of the waits after it send: one request, one at Reset and one after the wait. */
export const gentleCost = 3

/** One request in the silence after a burst: a bucket has given something back by then, a window has not. */
export const askGently = async (context: ProbeContext<'gentle'>, at: number): Promise<Exchange> => {
  await context.waitUntil(at, 'a single request after the burst')
  return context.askOnce({ step: 'gentle', ...context.ordinary })
}

/** How far apart polls around a window's end are, and how far around the presumed end they begin and stop, in windows. */
const [betweenPolls, aroundEnd] = [0.015, 0.06]

/** How far apart they are at most in the last second of a named wait: so one that is named too short by 0.3 s shows. */
const inLastSecondMs = 250

/** The most polls; the parts into which questions divide the silence before them, if it lasts this many windows. */
const [mostPolls, earlyParts, leastSilence] = [20, 3, 0.15]

export const mostAskedForEnd = mostPolls + earlyParts - 1

/** Whether it is known when the key was last served again, well enough to tell a window's length by it. */
export const isReturnKnown = (context: ProbeContext): boolean => {
  const last = context.lastReturn()
  return last !== undefined && last.servedAt - last.refusedAt < 1.5 * betweenPolls * context.windowMs
}

/** Whether a key was served too long before the named moment for rounding to explain: as if each wait were a minute. */
export const isNamedLong = (last: Return | undefined): boolean =>
  last?.namedAt !== undefined && last.namedAt - last.servedAt > secondMs + clearlyBeforeMs

/** When a window is presumed to end: at `at`, or up to `withinMs` before. */
interface PresumedEnd {
  readonly at: number
  readonly withinMs: number
  /**
   * One window after a load, from its first request to its last answer: no poll is sent then. A window that began
   * within the load ends within that, and a limit of one less would explain a poll that is served there.
   */
  readonly behindLoad?: { readonly from: number; readonly to: number }
  /**
   * One window after a request that may have opened this one: a poll is decided just before. A refusal there shows that
   * the window began with that request, and not up to a poll earlier, as one of a grid does.
   */
  readonly openedBefore?: number
}

/**
 * When the window of a refusal ends: by its Retry-After, which may be rounded up to a whole second; by its Reset, if
 * Retry-After is missing or needlessly long; else at `otherwise`. The Retry-After of a target that is known to name
 * waits that are too long is ignored.
 */
const presumedEnd = (context: ProbeContext, refusal: Exchange, otherwise: number): PresumedEnd => {
  const { limit, resetAt, retryAt: namedAt = Number.POSITIVE_INFINITY } = context.hintsOf(refusal)
  const retryAt = context.namesLongWaits() ? Number.POSITIVE_INFINITY : namedAt
  const isOfWindow = limit === context.key.quota.limit && resetAt !== undefined
  const byReset = isOfWindow && resetAt >= context.now() ? resetAt + secondMs : Number.POSITIVE_INFINITY
  // If both agree, Retry-After is closer: it needs no clock.
  const at = byReset < retryAt - clearlyBeforeMs ? byReset : retryAt
  return at < context.now() + 1.1 * context.windowMs + secondMs
    ? { at, withinMs: secondMs }
    : { at: otherwise, withinMs: 0 }
}

/** What polls found. Quota that comes back bit by bit has no end: the key is served long before, or at the first poll. */
interface FoundEnd {
  /** Whether the end is known well enough, by {@link isReturnKnown}. */
  readonly isFine: boolean
  /** Whether the key was open at the first poll. */
  readonly wasOpen: boolean
  readonly isServed: boolean
}

/**
 * Asks a spent key again and again around the presumed end of its window until it is served: so a well presumed end is
 * known to 1.5 % of a window. For a minute that should end at 60 s it asks at 56.4 s, 57.3 s, ... 63.6 s.
 */
export const pollEnd = async (context: ProbeContext<'gentle'>, end: PresumedEnd): Promise<FoundEnd> => {
  const { at, withinMs, behindLoad = { from: 0, to: 0 }, openedBefore = 0 } = end
  const justBefore = openedBefore - clearlyLaterMs(context) - context.longestRoundTripMs()
  const around = aroundEnd * context.windowMs
  const fromMs = Math.max(context.now(), at - withinMs - around)
  const apartMs = Math.max(betweenPolls * context.windowMs, (at + around - fromMs) / (mostPolls - 1))
  // A key that is back long before names needlessly long waits: polls would find it open, but not since when.
  const silenceMs = fromMs - context.now()
  for (let early = 1; early < earlyParts && silenceMs > leastSilence * context.windowMs; early += 1) {
    const { response } = await askGently(context, fromMs - (1 - early / earlyParts) * silenceMs)
    const wasOpen = !context.namesLongWaits() || context.comesBackInBits()
    if (response?.status !== 429) return { isFine: false, wasOpen, isServed: response?.status === 200 }
  }
  let last = await askGently(context, fromMs)
  let polls = 1
  for (; polls < mostPolls && last.response?.status === 429; polls += 1) {
    const { retryAt = Number.POSITIVE_INFINITY } = context.hintsOf(last)
    const isNear = retryAt < context.now() + secondMs + inLastSecondMs
    const regular = last.sentAt + (isNear ? Math.min(apartMs, inLastSecondMs) : apartMs)
    const next = last.sentAt < justBefore && justBefore < regular ? justBefore : regular
    last = await askGently(context, next < behindLoad.from ? next : Math.max(next, behindLoad.to))
  }
  const isServed = last.response?.status === 200
  return { isFine: polls > 1 && isServed && isReturnKnown(context), wasOpen: polls === 1 && isServed, isServed }
}

/** One window after a load: from the request that opened its window to clearly after its last answer. */
export const windowAfter = (
  context: ProbeContext,
  opener: Exchange,
  rows: LedgerRows,
): NonNullable<PresumedEnd['behindLoad']> => ({
  from: opener.sentAt + context.windowMs,
  to: lastAnswerUs(rows) / 1000 + context.windowMs + clearlyLaterMs(context),
})

/** Whether a bucket gives a request back while one is in flight: 1,000 in 6 s give one back every 6 ms. */
const givesBackMeanwhile = ({ key, windowMs, longestRoundTripMs }: ProbeContext): boolean =>
  key.quota.limit * longestRoundTripMs() >= windowMs

/** Finds the end of the window that refuses, near the moment that it names, or else near `otherwise`. */
export const pollNextEnd = async (
  context: ProbeContext<'gentle'>,
  otherwise: number,
  around: Pick<PresumedEnd, 'behindLoad' | 'openedBefore'> = {},
): Promise<FoundEnd> => {
  const refusal = await askGently(context, context.now())
  const { status } = refusal.response ?? {}
  if (status !== 429) return { isFine: false, wasOpen: givesBackMeanwhile(context), isServed: status === 200 }
  return pollEnd(context, { ...presumedEnd(context, refusal, otherwise), ...around })
}

/** A request sent this much later is decided later, as far as clocks can tell: a share of a window, and some ms. */
export const clearlyLaterMs = ({ windowMs }: Pick<ProbeContext, 'windowMs'>): number => windowMs / 2000 + 5

/** The largest share of the limit that is asked for one by one. */
const shareOneByOne = 0.05

export const oneByOneCost = (limit: number): number => Math.ceil(shareOneByOne * limit)

/** How many requests a bucket of this quota gives back within the time that the clocks of both sides can't resolve. */
const givenBackUntold = ({ key: { quota }, windowMs }: Pick<ProbeContext, 'key' | 'windowMs'>): number =>
  (quota.limit * clearlyLaterMs({ windowMs })) / windowMs

/** Whether so much comes back in that time that one more or less shows only over several windows: 4 of 3,000 in 6 s. */
export const isBeyondClocks = (context: ProbeContext): boolean => givenBackUntold(context) > 2

/**
 * If a bucket gives a request back while many are in flight, nobody knows what it held when each was decided. Over one
 * connection that is known to a part of a token, so the first requests to a full bucket, or the last ones to an empty
 * one, are sent like that, and no more. For 1,000 in 6 s that is 50 requests.
 */
export const askOneByOne = async (context: ProbeContext, when: 'full' | 'empty'): Promise<void> => {
  const { key } = context
  if (givenBackUntold(context) < 1) return
  await context.load({
    id: `${when}-${key.name}`,
    connections: 1,
    amount: oneByOneCost(key.quota.limit),
    ...(when === 'empty' && { stop: { kind: 'back' } }),
  })
}

/** Waits long enough that a window's end lies clearly on one side of all earlier requests, or of all later ones. */
export const beClearlyLater = (context: ProbeContext): Promise<void> =>
  context.waitUntil(context.now() + clearlyLaterMs(context), 'a later moment for the requests that follow')

/**
 * Waits until a window has passed since the last answer of a load, if a refusal names an end of its window just before
 * that: two windows that met during the load meet again by then, so that what follows lies in one. For a load from 0.2
 * to 0.5 s with an end at 60.3 s it waits until 60.5 s.
 */
export const waitPastLoad = async (
  context: ProbeContext,
  opener: Exchange,
  rows: LedgerRows,
  refusal: Exchange,
): Promise<void> => {
  const { retryAt = 0 } = context.hintsOf(refusal)
  const endedAt = lastAnswerUs(rows) / 1000
  const firstEnd = opener.sentAt + context.windowMs - (endedAt - opener.sentAt)
  const isMet = refusal.response?.status === 429 && retryAt > firstEnd
  if (isMet) await context.waitUntil(endedAt + context.windowMs + clearlyLaterMs(context), 'a whole window')
}

/** The moment at which Reset promises quota, if that is plausible and clearly before Retry-After's. */
export const resetBefore = (context: ProbeContext, refusal: Exchange): number | undefined => {
  const { limit, resetAt = Number.NaN, backBy = Number.NaN, retryAt = Number.NaN } = context.hintsOf(refusal)
  const isAhead = limit === context.key.quota.limit && resetAt >= context.now()
  return isAhead && backBy < retryAt - clearlyBeforeMs ? backBy : undefined
}

/**
 * Waits as long as the refusal asked, and asks once. If Reset promises quota clearly earlier, asks then too, because
 * one of the two is not honest. Throws {@link ProbeBlocked} if the wait is longer than a probe sits through.
 */
export const waitAsTold = async (context: ProbeContext<'at-reset' | 'after-wait'>, refusal: Exchange) => {
  let { retryAt } = context.hintsOf(refusal)
  if (retryAt === undefined) return
  const early = resetBefore(context, refusal)
  if (early !== undefined && early < context.now() + context.longestWaitMs) {
    await context.waitUntil(early, 'the moment that X-RateLimit-Reset named')
    const answer = await context.askOnce({ step: 'at-reset', ...context.ordinary })
    if (answer.response?.status !== 429) return
    retryAt = context.hintsOf(answer).retryAt ?? retryAt
  }
  if (retryAt > context.now() + context.longestWaitMs + secondMs) throw new ProbeBlocked('long-wait')
  await context.waitUntil(retryAt, 'the time that Retry-After asked for')
  await context.askOnce({ step: 'after-wait', ...context.ordinary })
}

/** The moment from which Reset promises the minute's quota, if that lies ahead and near enough to wait for. */
const promisedByReset = (context: ProbeContext, refusal: Exchange): number | undefined => {
  const { limit, resetAt = Number.NaN, backBy = Number.NaN } = context.hintsOf(refusal)
  const isNear = backBy > context.now() && resetAt < context.now() + context.longestWaitMs
  return isNear && limit === context.key.quota.limit ? backBy : undefined
}

/** Waits for the moment that Reset named, if it still lies ahead, and asks once. */
export const askAtReset = async (context: ProbeContext<'at-reset'>, refusal: Exchange): Promise<void> => {
  const at = promisedByReset(context, refusal)
  if (at === undefined) return
  await context.waitUntil(at, 'the moment that X-RateLimit-Reset named')
  await context.askOnce({ step: 'at-reset', ...context.ordinary })
}

/** Waits as told, and at least until Reset's moment: a refusal then breaks what Reset promised. */
export const waitForReset = async (context: ProbeContext<'at-reset' | 'after-wait'>, refusal: Exchange) => {
  const { retryAt } = context.hintsOf(refusal)
  const at = promisedByReset(context, refusal)
  if (retryAt !== undefined && at !== undefined && at > retryAt) await askAtReset(context, refusal)
  else await waitAsTold(context, refusal)
}

/** When a blocked key is asked whether the block lasts, as a share of its time. */
const askedAfter = 0.75

/** How long after its end a block is surely over, whenever the refusal was decided. */
const surelyOverMs = 100

/**
 * Asks once in the last quarter of the block that a load's first refusal began, if the contract says how long one
 * lasts: the key must not be served then. For a block of 10 s from 3 s on it asks at 10.5 s. Resolves to the last
 * answer; to `before` if there is no block to ask in.
 */
export const askInBlock = async (
  context: ProbeContext<'in-block' | 'after-block'>,
  { length, status, receivedUs }: LedgerRows,
  before: Exchange,
): Promise<Exchange> => {
  const { blockedForMs } = context
  if (blockedForMs === 0) return before
  let firstUs = Number.POSITIVE_INFINITY
  for (let i = 0; i < length; i += 1) if (status[i] === 429) firstUs = Math.min(firstUs, receivedUs[i])
  const at = firstUs / 1000 + askedAfter * blockedForMs
  if (!(at > context.now() && at < context.now() + blockedForMs)) return before
  await context.waitUntil(at, 'a single request within the block')
  const within = await context.askOnce({ step: 'in-block', ...context.ordinary })
  const { retryAt = 0 } = context.hintsOf(within)
  const overAt = firstUs / 1000 + blockedForMs + surelyOverMs
  if (within.response?.status !== 429 || retryAt <= overAt + secondMs) return within
  await context.waitUntil(overAt, 'the end of the block')
  return context.askOnce({ step: 'after-block', ...context.ordinary })
}

/**
 * The most windows of a minute that a probe of limits waits for its quota. A minute comes back within one; a wait
 * beyond two is a day's or a ban's, which no run sits through unasked.
 */
export const mostWindowsForQuota = 2

/** The most for a question that has to be answered: one window more, because a short ban may be over by then. */
export const mostWindowsForAnswer = 3
