import { beSilent } from '../moves/fresh-window.js'
import { gentleCost, waitAsTold } from '../moves/gentle.js'
import { leastBeyondLimit } from '../moves/loads.js'
import { defineLoad, type KeyFacts } from '../probe.js'

/** A little more than the quota: what is admitted beyond it shows, and so does what is refused too early. */
const overshoot = 1.2

/** Few at a time: of requests that cost more than one, the first refusal tells, and has to be known as the first. */
const connections = 4

/** The question in the silence comes this share of a window after the load began. */
const askedAfter = 0.5

/** How many requests of a cost are a little more than the quota. */
const amountOf = ({ quota }: KeyFacts, cost: number): number =>
  Math.ceil((quota.limit * overshoot) / cost) + leastBeyondLimit

/** What is sent if other quotas leave little room. */
const leastOf = ({ quota }: KeyFacts, cost: number): number => Math.floor(quota.limit / cost) + leastBeyondLimit

/** Whether requests of a cost spend a quota to its last unit: then nothing shows that less than the cost is too little. */
const comesOutEven = ({ quota }: KeyFacts, cost: number): boolean => cost > 1 && quota.limit % cost === 0

const requestsFor = (key: KeyFacts, amount: (key: KeyFacts, cost: number) => number): number =>
  (key.others ?? []).reduce(
    (sum, { cost }) => sum + Number(comesOutEven(key, cost)) + amount(key, cost) + gentleCost,
    0,
  )

/**
 * Spends a quota with each of its other requests in turn: one that costs more or less than agreed, or is not counted,
 * shows in how many are admitted. Of 60 units, requests that cost five are admitted twelve times; after an ordinary one
 * eleven times, because the four that are left are too few.
 */
export const otherRequests = defineLoad({
  id: 'other-requests',
  summary:
    'Spends a quota with each of its other requests in turn: this shows a request that costs more or less than agreed.',
  cost: (key) => ({ keyed: requestsFor(key, amountOf), minutes: 2.1 * (key.others?.length ?? 0) }),
  least: (key) => requestsFor(key, leastOf),
  async play(context) {
    const { key, windowMs } = context
    for (const { request, cost } of key.others ?? []) {
      await beSilent(context)
      const startedAt = context.now()
      if (comesOutEven(key, cost)) await context.askOnce({ step: 'gentle', ...context.ordinary })
      const amount = context.isShort ? leastOf(key, cost) : amountOf(key, cost)
      await context.load({
        id: `by-${request}-${key.name}`,
        connections: Math.min(connections, amount),
        amount,
        least: leastOf(key, cost),
        keeps: gentleCost,
        request,
      })
      await context.waitUntil(startedAt + askedAfter * windowMs, 'a single request after the load')
      // The same again: the ordinary one may be counted apart, and would then be one more than the quota has.
      await waitAsTold(context, await context.askOnce({ step: 'gentle', ...context.ordinary, request }))
    }
  },
})
