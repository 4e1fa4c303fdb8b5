import { describe, expect, it } from 'vitest'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import type { KeyFacts, LoadPlan, ProbeContext } from '../probe.js'
import { burst } from './burst.js'

const keyOf = (name: string, limit: number): KeyFacts => ({ name, plan: name, quota: { limit, longer: 100_000 } })
const [free, pro, business] = [keyOf('free', 60), keyOf('pro', 300), keyOf('business', 1_000)]

/** The loads on a key that is never refused, without a silence that was asked for. */
const loadsOn = async (key: KeyFacts, keys: readonly KeyFacts[]) => {
  const loads: string[] = []
  const context = {
    key,
    keys,
    windowMs: 60_000,
    now: () => 0,
    lastUsedAt: () => 0,
    carriesOver: () => false,
    longestRoundTripMs: () => 1,
    hintsOf: () => ({}),
    waitUntil: async () => {},
    askOnce: async () => ({ sentAt: 0, response: { status: 200 } }),
    load: async ({ id }: LoadPlan) => {
      loads.push(id)
      return { ledger: madeLedger([]), refusals: 0 }
    },
  }
  await burst.play(context as unknown as ProbeContext<string>, burst.settings.parse({ silence: 0 }))
  return loads
}

describe('the burst', () => {
  it('spends the smaller of two keys first, so that it shows what opened its window', async () => {
    expect(await loadsOn(free, [free, pro])).toEqual(['first-free', 'burst-free'])
    expect(await loadsOn(pro, [free, pro])).toEqual(['burst-pro'])
    expect(await loadsOn(free, [free, pro, business])).toEqual(['burst-free'])
    const settings = burst.settings.parse({ silence: 0 })
    expect(burst.cost(free, settings, [free, pro]).keyed).toBe(
      burst.cost(free, settings, [free, pro, business]).keyed + 65,
    )
  })
})
