import { z } from 'zod'
import type { Exchange } from '../../evidence/exchange.js'
import { askInParts, partsCost } from '../moves/earliest-wait.js'
import { askAtReset, waitAsTold } from '../moves/gentle.js'
import { defineProbe, type KeyFacts, ProbeBlocked, type ProbeContext, ProbeSkipped } from '../probe.js'

/** Requests in a row without an answer that show that nobody is there any more. */
const mostUnanswered = 3

/** Requests that spend a key one by one: twice the limit and one, for a window may end and a bucket refills. */
const amountOf = (limit: number): number => 2 * limit + 1

/** Of a short day: a refusal in each of four parts of a second and one more, two for the wait, and one at Reset. */
const questionsAfter = 8

/** The key with the smallest minute, where another one has more room for single exchanges; at most `most` a minute. */
const spareKeyOf = (keys: readonly KeyFacts[], most: number): KeyFacts | undefined => {
  const [least, ...others] = [...keys].sort((a, b) => a.quota.limit - b.quota.limit)
  const isSpare = others.some(({ quota }) => quota.limit > least.quota.limit)
  return isSpare && least.quota.limit <= most ? least : undefined
}

/** Asks one request after the other until one is refused; undefined where none is. */
const spend = async (context: ProbeContext<'spend'>): Promise<Exchange | undefined> => {
  let unanswered = 0
  for (let sent = 0; sent < amountOf(context.key.quota.limit); sent += 1) {
    const x = await context.askOnce({ step: 'spend', ...context.ordinary })
    if (x.response?.status === 429) return x
    unanswered = x.response === null ? unanswered + 1 : 0
    if (unanswered === mostUnanswered) throw new ProbeBlocked('no-answer')
  }
  return undefined
}

/**
 * Spends the smallest key one request at a time, reads refusals in each part of a second, and asks again when the time
 * that Retry-After names is up and at the moment that Reset names (RATE-6, THROTTLE-4). So a limit is met without a
 * load.
 */
export const exhaustion = defineProbe({
  id: 'exhaustion',
  summary: 'Spends the smallest key one request at a time, without a load, and asks again when the refusals said so.',
  played: 'together',
  settings: z.strictObject({
    most: z.int().min(1).max(1000).default(100).describe('A key with a larger limit is not spent one by one.'),
  }),
  cost: ({ name, quota }, { most }, keys) => {
    const isSpent = spareKeyOf(keys, most)?.name === name
    return { keyed: isSpent ? amountOf(quota.limit) + partsCost + 2 : 0, minutes: isSpent ? 1.2 : 0 }
  },
  least: ({ name, quota }, { most }, keys) =>
    spareKeyOf(keys, most)?.name === name ? quota.limit + 1 + questionsAfter : 0,
  async play(context, { most }) {
    const spare = spareKeyOf(context.keys, most)
    const spender = [context, ...context.others].find(({ key }) => key.name === spare?.name)
    if (!spender) throw new ProbeSkipped('no-key-to-spare')
    const refusal = await spend(spender)
    if (!refusal) return
    await waitAsTold(spender, await askInParts(spender, spender.now()))
    await askAtReset(spender, refusal)
  },
})
