import type { Exchange } from '../../evidence/exchange.js'
import { ProbeBlocked, type ProbeContext } from '../probe.js'

/** A wait of more than this many windows is a day's or a ban's: nobody sits through it unasked. */
const mostWindowsWaited = 2

/** How much earlier than Retry-After's a moment has to be to be worth a request. */
const clearlyMs = 200

/** A moment in whole seconds stands for a second. */
const roundingMs = 1_000

/** One request in the silence after a burst. A bucket has given something back by then, a window has not. */
export const askGently = async (context: ProbeContext, at: number): Promise<Exchange> => {
  await context.waitUntil(at, 'a single request after the burst')
  return context.askOnce({ step: 'gentle', operation: 'listInventory' })
}

/** The moment at which Reset promises the quota, where that is plausible and clearly before Retry-After's. */
export const resetBefore = (context: ProbeContext, refusal: Exchange): number | undefined => {
  const { limit, resetAt, retryAt } = context.hintsOf(refusal)
  if (retryAt === undefined) return undefined
  if (limit !== context.key.quota.minute || resetAt === undefined || resetAt < context.now()) return undefined
  const at = resetAt + roundingMs
  return at < retryAt - clearlyMs ? at : undefined
}

/**
 * Waits as long as the last refusal asked, and asks once. Where Reset promises the quota clearly earlier, it asks then
 * too: one of the two is not honest. Throws {@link ProbeBlocked} where the wait is too long to sit through.
 */
export const waitAsTold = async (context: ProbeContext, refusal: Exchange): Promise<void> => {
  let { retryAt } = context.hintsOf(refusal)
  if (retryAt === undefined) return
  const early = resetBefore(context, refusal)
  if (early !== undefined && early < context.now() + 2 * context.minuteMs) {
    await context.waitUntil(early, 'the moment that X-RateLimit-Reset named')
    const answer = await context.askOnce({ step: 'at-reset', operation: 'listInventory' })
    if (answer.response?.status !== 429) return
    retryAt = context.hintsOf(answer).retryAt ?? retryAt
  }
  if (retryAt > context.now() + mostWindowsWaited * context.minuteMs + roundingMs) throw new ProbeBlocked('long-wait')
  await context.waitUntil(retryAt, 'the time that Retry-After asked for')
  await context.askOnce({ step: 'after-wait', operation: 'listInventory' })
}

/** The moment from which Reset promises the quota of the minute, where that lies ahead and can be sat through. */
const promisedByReset = (context: ProbeContext, refusal: Exchange): number | undefined => {
  const { limit, resetAt } = context.hintsOf(refusal)
  if (limit !== context.key.quota.minute || resetAt === undefined) return undefined
  const at = resetAt + roundingMs
  return at > context.now() && resetAt < context.now() + mostWindowsWaited * context.minuteMs ? at : undefined
}

/** Waits for the moment that Reset named, where it still lies ahead, and asks once. */
export const askAtReset = async (context: ProbeContext, refusal: Exchange): Promise<void> => {
  const at = promisedByReset(context, refusal)
  if (at === undefined) return
  await context.waitUntil(at, 'the moment that X-RateLimit-Reset named')
  await context.askOnce({ step: 'at-reset', operation: 'listInventory' })
}

/** Waits as told, but not before Reset's moment either: what is refused then makes Reset a lie, whatever Retry-After said. */
export const waitForReset = async (context: ProbeContext, refusal: Exchange): Promise<void> => {
  const { retryAt } = context.hintsOf(refusal)
  const at = promisedByReset(context, refusal)
  if (retryAt !== undefined && at !== undefined && at > retryAt) await askAtReset(context, refusal)
  else await waitAsTold(context, refusal)
}
