import type { Exchange } from '../../evidence/exchange.js'
import type { ProbeContext } from '../probe.js'

/** A little more than a window: targets' clocks and ours drift apart. */
const wholeWindowMs = (context: ProbeContext): number => context.minuteMs * 1.01 + 50

const mostTries = 3

/** Whether the window that the opener opened, or met, is whole and long enough for what is to come. */
const isFresh = (context: ProbeContext, opener: Exchange, neededMs: number): { fresh: boolean; retryAt: number } => {
  const { limit, remaining, resetAt } = context.hintsOf(opener)
  const idleAt = context.now() + wholeWindowMs(context)
  if (opener.response?.status !== 200) return { fresh: false, retryAt: idleAt }
  if (limit !== context.key.quota.minute || remaining === undefined) return { fresh: true, retryAt: 0 }
  if (remaining < limit - 1) return { fresh: false, retryAt: idleAt }
  const endsTooSoon = resetAt !== undefined && resetAt - 1_000 < context.now() + neededMs
  // A bucket's Reset is always near: what has not helped once is not tried again.
  return { fresh: !endsTooSoon, retryAt: endsTooSoon ? Math.min(resetAt + 20, idleAt) : 0 }
}

/** Waits until nothing that was sent before can matter: a whole window after the key's last request. */
export const beSilent = (context: ProbeContext): Promise<void> =>
  context.waitUntil(
    context.lastUsedAt() + wholeWindowMs(context),
    'a whole window of silence, so that the quota is whole',
  )

/**
 * After a silence, opens a window with one request alone, so that its start is known to a round trip. Where the answer
 * says that the window is nearly over, the next one is taken.
 */
export const openFreshWindow = async (context: ProbeContext, requestsPerConnection: number): Promise<Exchange> => {
  await beSilent(context)
  for (let tries = 1; ; tries += 1) {
    const opener = await context.askOnce({ step: 'opener', operation: 'listInventory' })
    const neededMs = 300 + requestsPerConnection * context.longestRoundTripMs() * 1.5
    const { fresh, retryAt } = isFresh(context, opener, Math.min(neededMs, context.minuteMs * 0.7))
    if (fresh || tries === mostTries) return opener
    await context.waitUntil(retryAt, 'a window that is whole, and long enough for what is to come')
  }
}
