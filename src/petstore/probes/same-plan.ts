import { amountToSpend, leastToSpend, spendingConnections } from '../../probes/moves/loads.js'
import { defineProbe, type KeyFacts, ProbeSkipped } from '../../probes/probe.js'

/** The smallest plan with two keys: the one that is spent, and the one that is asked. */
const pairOf = (keys: readonly KeyFacts[]): { first: KeyFacts; second: KeyFacts } | undefined => {
  const pairs = keys.flatMap((first, place) => {
    const second = keys.find(({ plan }, index) => plan === first.plan && index > place)
    return second ? [{ first, second }] : []
  })
  return pairs.sort((a, b) => a.first.quota.limit - b.first.quota.limit)[0]
}

/** Spends one of a plan's two keys, and asks with the other before and after (QUOTA-9); on the smallest such plan. */
export const samePlan = defineProbe({
  id: 'same-plan',
  summary: "Spends one of a plan's two keys, and sends a request with the other, to see whether they share a quota.",
  played: 'all-keys',
  isLoad: true,
  cost: ({ name, quota }, _settings, keys) => {
    const pair = pairOf(keys)
    const keyed = name === pair?.first.name ? amountToSpend(quota.limit) : name === pair?.second.name ? 2 : 0
    return { keyed }
  },
  least: ({ name, quota }, _settings, keys) => {
    const pair = pairOf(keys)
    return name === pair?.first.name ? leastToSpend(quota.limit) : name === pair?.second.name ? 2 : 0
  },
  async play(context) {
    const pair = pairOf(context.keys)
    const contextOf = (key: KeyFacts | undefined) =>
      [context, ...context.others].find((each) => each.key.name === key?.name)
    const [first, second] = [contextOf(pair?.first), contextOf(pair?.second)]
    if (!first || !second) throw new ProbeSkipped('one-key-a-plan')
    await second.ask({ step: 'before', ...second.ordinary })
    const { limit } = first.key.quota
    const amount = first.isShort ? leastToSpend(limit) : amountToSpend(limit)
    const { refusals } = await first.load({
      id: `same-plan-${first.key.name}`,
      connections: Math.min(spendingConnections, amount),
      amount,
    })
    if (refusals > 0) await second.askOnce({ step: 'beside', ...second.ordinary, intent: { spent: first.key.name } })
  },
})
