import { z } from 'zod'
import { secondMs } from '../../contract/plans.js'
import { smallestOf, spendingConnections } from '../moves/loads.js'
import { defineProbe, type ProbeContext } from '../probe.js'

/** A refusal puts its moment off if it names a later one than before, by the rounding to a second and some delay. */
const putOffMs = 1.5 * secondMs

/** Where a ban names no time: the first wait, in windows, and how much longer each further one is. */
const firstWaitWindows = 0.25
const waitGrowth = 1.5

/** Questions to a banned key: by then the waits are longer than any `minutes` that can be set. */
const mostAsked = 30

/** Asks until the key is served again or the time is over, and waits in between as told, or ever longer. */
const askUntilLifted = async (context: ProbeContext<'banned' | 'asked-again'>, untilMs: number): Promise<void> => {
  let waitMs = firstWaitWindows * context.windowMs
  for (let asked = 1; asked <= mostAsked; asked += 1) {
    const answer = await context.askOnce({ step: asked === 1 ? 'banned' : 'asked-again', ...context.ordinary })
    if (answer.response?.status === 200) return
    const nextAt = context.hintsOf(answer).retryAt ?? context.now() + waitMs
    waitMs *= waitGrowth
    if (nextAt > untilMs) return
    await context.waitUntil(nextAt, 'the ban to be lifted')
  }
}

/**
 * Goes on and on after a 429, on the smallest key, until the answer changes or so many were refused; then waits as
 * told until the key is served again (THROTTLE-7). Sets off a ban on purpose: only for scenarios that ask for it.
 */
export const ban = defineProbe({
  id: 'ban',
  summary:
    'Goes on after refusals until the target bans the smallest key, and waits until the ban is lifted. Sets off a ban on purpose.',
  played: 'each-plan',
  isLoad: true,
  settings: z.strictObject({
    refusals: z
      .int()
      .min(10)
      .max(100_000)
      .default(5_000)
      .describe('It gives up after so many requests beyond the limit.'),
    minutes: z
      .number()
      .min(1)
      .max(1_440)
      .default(15)
      .describe('How many windows of a minute it waits for the ban to be lifted.'),
  }),
  spendsDay: true,
  cost: ({ name, quota }, { refusals, minutes }, keys) =>
    name === smallestOf(keys).name ? { keyed: quota.limit + refusals + mostAsked, minutes: minutes + 1 } : { keyed: 0 },
  async play(context, { refusals, minutes }) {
    const { key, keys, windowMs } = context
    if (key.name !== smallestOf(keys).name) return
    const { ledger } = await context.load({
      id: `ban-${key.name}`,
      connections: spendingConnections,
      amount: key.quota.limit + refusals,
      stop: { kind: 'change', putOffMs },
    })
    const isChanged = ledger.head.counts.sent < ledger.head.counts.planned
    if (isChanged) await askUntilLifted(context, context.now() + minutes * windowMs)
  },
})
