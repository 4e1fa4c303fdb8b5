import { secondMs } from '../../contract/whole-seconds.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { LedgerRows } from '../../evidence/ledger.js'
import type { ProbeContext } from '../probe.js'

/** When a block is asked whether it lasts, as a share of its time. */
const askedAfter = 0.75

/** So long after its end it is over, wherever the refusal was decided. */
const surelyOverMs = 100

/**
 * Asks once in the last quarter of the block that a load's first refusal began, where the contract says how long one
 * lasts: nobody may be served then. Of 10 s that begin at 3 s it asks at 10.5 s.
 * Resolves to the last answer; to the one before where there is no block to ask in.
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
