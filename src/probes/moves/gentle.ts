import type { Exchange } from '../../evidence/exchange.js'
import { ProbeBlocked, type Stage } from '../probe.js'

/** A wait of more than this many windows is a day's or a ban's: nobody sits through it unasked. */
const mostWindowsWaited = 2

/** How much earlier than Retry-After's a moment has to be to be worth a request. */
const clearlyMs = 200

/** A moment in whole seconds stands for a second. */
const roundingMs = 1_000

/** One request in the silence after a burst. A bucket has given something back by then, a window has not. */
export const askGently = async (stage: Stage, at: number): Promise<Exchange> => {
  await stage.waitUntil(at, 'a single request after the burst')
  return stage.askOnce({ step: 'gentle', operation: 'listInventory' })
}

/** The most refusals that are asked for to meet a short wait: of one in ten 98 % are met, of one in fifty half. */
export const mostAskedForShorter = 40

/** Two waits of whole seconds that differ do so by a second; the time between the two answers is taken off. */
const clearlyEarlierMs = 500

/**
 * For a target whose waits contradict each other: asks one request at a time until a refusal allows a request clearly
 * earlier than one before it did, so that the silence which follows holds the target to the shortest. Gives the last answer.
 */
export const askForShorter = async (stage: Stage, refusal: Exchange): Promise<Exchange> => {
  let [last, latest] = [refusal, stage.told(refusal).retryAt ?? Number.POSITIVE_INFINITY]
  for (let asked = 0; asked < mostAskedForShorter; asked += 1) {
    const { retryAt } = stage.told(last)
    if (last.response?.status !== 429 || retryAt === undefined) return last
    if (retryAt < latest - clearlyEarlierMs || retryAt > stage.now() + mostWindowsWaited * stage.minuteMs) return last
    latest = Math.max(latest, retryAt)
    last = await stage.askOnce({ step: 'gentle', operation: 'listInventory', intent: { again: String(asked + 1) } })
  }
  return last
}

/** The moment at which Reset promises the quota, where that is plausible and clearly before Retry-After's. */
export const resetBefore = (stage: Stage, refusal: Exchange): number | undefined => {
  const { limit, resetAt, retryAt } = stage.told(refusal)
  if (retryAt === undefined) return undefined
  if (limit !== stage.key.quota.minute || resetAt === undefined || resetAt < stage.now()) return undefined
  const at = resetAt + roundingMs
  return at < retryAt - clearlyMs ? at : undefined
}

/**
 * Waits as long as the last refusal asked, and asks once. Where Reset promises the quota clearly earlier, it asks then
 * too: one of the two is not honest. Throws {@link ProbeBlocked} where the wait is too long to sit through.
 */
export const waitAsTold = async (stage: Stage, refusal: Exchange): Promise<void> => {
  let { retryAt } = stage.told(refusal)
  if (retryAt === undefined) return
  const early = resetBefore(stage, refusal)
  if (early !== undefined && early < stage.now() + 2 * stage.minuteMs) {
    await stage.waitUntil(early, 'the moment that X-RateLimit-Reset named')
    const answer = await stage.askOnce({ step: 'at-reset', operation: 'listInventory' })
    if (answer.response?.status !== 429) return
    retryAt = stage.told(answer).retryAt ?? retryAt
  }
  if (retryAt > stage.now() + mostWindowsWaited * stage.minuteMs + roundingMs) throw new ProbeBlocked('long-wait')
  await stage.waitUntil(retryAt, 'the time that Retry-After asked for')
  await stage.askOnce({ step: 'after-wait', operation: 'listInventory' })
}

/** The moment from which Reset promises the quota of the minute, where that lies ahead and can be sat through. */
const promisedByReset = (stage: Stage, refusal: Exchange): number | undefined => {
  const { limit, resetAt } = stage.told(refusal)
  if (limit !== stage.key.quota.minute || resetAt === undefined) return undefined
  const at = resetAt + roundingMs
  return at > stage.now() && resetAt < stage.now() + mostWindowsWaited * stage.minuteMs ? at : undefined
}

/** Waits for the moment that Reset named, where it still lies ahead, and asks once. */
export const askAtReset = async (stage: Stage, refusal: Exchange): Promise<void> => {
  const at = promisedByReset(stage, refusal)
  if (at === undefined) return
  await stage.waitUntil(at, 'the moment that X-RateLimit-Reset named')
  await stage.askOnce({ step: 'at-reset', operation: 'listInventory' })
}

/** Waits as told, but not before Reset's moment either: what is refused then makes Reset a lie, whatever Retry-After said. */
export const waitForReset = async (stage: Stage, refusal: Exchange): Promise<void> => {
  const { retryAt } = stage.told(refusal)
  const at = promisedByReset(stage, refusal)
  if (retryAt !== undefined && at !== undefined && at > retryAt) await askAtReset(stage, refusal)
  else await waitAsTold(stage, refusal)
}
