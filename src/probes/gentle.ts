import type { Exchange } from '../evidence/exchange.js'
import { ProbeBlocked, type Stage } from './probe.js'

/** A wait of more than this many windows is a day's or a ban's: nobody sits through it unasked. */
const mostWindowsWaited = 2

/**
 * One request in the silence after a burst. A bucket has given something back by then, a window has not: what becomes
 * of it tells the two apart. Gives the moment that a refusal names.
 */
export const askGently = async (stage: Stage, at: number): Promise<Exchange> => {
  await stage.waitUntil(at, 'a single request after the burst')
  return stage.askOnce({ step: 'gentle', operation: 'listInventory' })
}

/** Waits as long as the last refusal asked, and asks once. Throws {@link ProbeBlocked} where that is too long. */
export const waitAsTold = async (stage: Stage, retryAt: number): Promise<void> => {
  if (retryAt > stage.now() + mostWindowsWaited * stage.minuteMs + 1_000) throw new ProbeBlocked('long-wait')
  await stage.waitUntil(retryAt, 'the time that Retry-After asked for')
  await stage.askOnce({ step: 'after-wait', operation: 'listInventory' })
}
