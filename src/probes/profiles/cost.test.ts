import { describe, expect, it } from 'vitest'
import type { KeyFacts, LoadPlan, ProbeContext } from '../probe.js'
import { cost } from './cost.js'

const free: KeyFacts = { name: 'free', plan: 'free', quota: { limit: 60, longer: 1_000 } }
const pro: KeyFacts = { name: 'pro', plan: 'pro', quota: { limit: 300, longer: 10_000 } }
const enterprise: KeyFacts = {
  name: 'enterprise',
  plan: 'enterprise',
  quota: { limit: 1_000_000, longer: 1_000_000_000 },
}

const settingsOf = (given: object) => cost.settings.parse(given)

describe('the profile of what the limiter costs', () => {
  it('sends beyond each limit, and on the unlimited key no more than on the largest other', () => {
    const settings = settingsOf({ unlimited: 'enterprise' })
    const keys = [free, pro, enterprise]
    expect(keys.map((key) => cost.cost(key, settings, keys).keyed)).toEqual([273, 1_353, 1_353])
    expect(cost.cost(pro, settings, [pro]).keyed).toBe(1_353)
  })

  it('takes a key for unlimited only beside others, and where its limit is out of their reach', () => {
    const small: KeyFacts = { ...enterprise, quota: { limit: 100, longer: 1_000 } }
    const settings = settingsOf({ unlimited: 'enterprise', rounds: 1 })
    expect(cost.cost(small, settings, [small]).keyed).toBe(153)
    expect(cost.cost(small, settings, [small, pro]).keyed).toBe(153)
  })

  it('puts its loads on one key after the other, each round beginning with another, and no more than it declares', async () => {
    const settings = settingsOf({ unlimited: 'enterprise', rounds: 2 })
    const keys = [free, pro, enterprise]
    const loads: LoadPlan[] = []
    let underWay = 0
    const contexts = keys.map((key) => ({
      key,
      keys,
      others: [] as unknown[],
      windowMs: 60_000,
      lastUsedAt: () => 0,
      lastReturn: () => undefined,
      namesLongWaits: () => false,
      carriesOver: () => false,
      comesBackInBits: () => false,
      longestRoundTripMs: () => 1,
      waitUntil: async () => {},
      now: () => 0,
      askOnce: async () => undefined,
      hintsOf: () => ({}),
      load: async (plan: LoadPlan) => {
        underWay += 1
        expect(underWay).toBe(1)
        await Promise.resolve()
        loads.push(plan)
        underWay -= 1
      },
    }))
    contexts[0].others = contexts.slice(1)
    await cost.play(contexts[0] as unknown as ProbeContext<string>, settings)
    expect(loads.map(({ id }) => id)).toEqual([
      'cost-1-free',
      'cost-1-pro',
      'cost-1-enterprise',
      'cost-2-pro',
      'cost-2-enterprise',
      'cost-2-free',
    ])
    for (const key of keys) {
      const sent = loads.filter(({ id }) => id.endsWith(key.name)).reduce((sum, { amount }) => sum + amount, 0)
      expect(sent).toBe(cost.cost(key, settings, keys).keyed - 3)
    }
  })
})
