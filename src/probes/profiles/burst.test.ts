import { describe, expect, it } from 'vitest'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import type { KeyFacts, LoadPlan, ProbeContext } from '../probe.js'
import { burst } from './burst.js'

const keyOf = (name: string, limit: number): KeyFacts => ({ name, plan: name, quota: { limit, longer: 100_000 } })
const [free, pro, business] = [keyOf('free', 60), keyOf('pro', 300), keyOf('business', 1_000)]

/** The loads on a key, without a silence that was asked for; refused are those that are told, no other. */
const plansOn = async (
  key: KeyFacts,
  keys: readonly KeyFacts[],
  { tookMs = 1, blockedForMs = 0, windowMs = 60_000, refused = 0, settings = {}, more = {} } = {},
) => {
  const loads: LoadPlan[] = []
  const context = {
    key,
    keys,
    windowMs,
    blockedForMs,
    now: () => 0,
    lastUsedAt: () => 0,
    carriesOver: () => false,
    comesBackInBits: () => false,
    longestRoundTripMs: () => tookMs,
    usualRoundTripMs: () => tookMs,
    hintsOf: () => ({}),
    waitUntil: async () => {},
    askOnce: async () => {
      loads.push({ id: 'opener', connections: 1, amount: 1 })
      return { sentAt: 0, response: { status: 200 } }
    },
    load: async (plan: LoadPlan) => {
      loads.push(plan)
      return { ledger: madeLedger([]), refusals: plan.id.startsWith('burst') ? refused : 0 }
    },
    ...more,
  }
  await burst.play(context as unknown as ProbeContext<string>, burst.settings.parse({ silence: 0, ...settings }))
  return loads
}

const loadsOn = async (...of: Parameters<typeof plansOn>) =>
  (await plansOn(...of)).map(({ id }) => id).filter((id) => id !== 'opener')

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

  it('asks the smaller of two keys for its last places first, and spends it by a load only if places are left', async () => {
    const pet = { id: 1n, quantity: 5n, status: 'sold' }
    const part = { hasInventory: true, readOnly: true, inventory: async () => [pet], inTurn: () => pet }
    const settings = { end: 'found' }
    const loads = async (status: number) => {
      const askOnce = async () => ({ sentAt: 0, response: { status } })
      const hintsOf = () => ({ limit: 60, remaining: 3 })
      return loadsOn(free, [free, pro], { settings, more: { ...part, askOnce, hintsOf } })
    }
    expect((await loads(429))[0]).toBe('burst-free')
    expect((await loads(200))[0]).toBe('first-free')
  })

  it.each([
    ['half as much again as the limit', free, {}, [50, 89]],
    ['as much as it has connections where the limit is small', keyOf('small', 10), {}, [49, 49]],
    ['as many at once as a slow target takes to be told when it decides', free, { tookMs: 80 }, [131, 131]],
    ['no more where refusals begin a block', free, { tookMs: 80, blockedForMs: 5_000 }, [89, 89]],
    [
      'no more where a shorter quota refuses what comes at once',
      { ...free, mostPerWindow: 600 },
      { tookMs: 80 },
      [89, 89],
    ],
  ])('sends %s', async (_, key, part, [connections, amount]) => {
    const sent = await plansOn(key, [key], part)
    expect(sent.find(({ id }) => id.startsWith('burst'))).toMatchObject({ connections, amount })
  })

  it('comes itself first where nothing is to open the window', async () => {
    const settings = { silence: 2, end: 'load' }
    expect((await plansOn(free, [free], { settings }))[0].id).toBe('opener')
    expect((await plansOn(free, [free], { settings: { ...settings, opener: false } }))[0].id).toBe('burst-free')
    const one = keyOf('one', 1)
    expect((await plansOn(one, [one], { settings }))[0].id).toBe('burst-one')
    expect((await plansOn(one, [one]))[0].id).toBe('opener')
  })

  it('finds a bucket full and empty by one at a time, where that gives back faster than clocks can tell', async () => {
    const part = { windowMs: 6_000, refused: 1, settings: { end: 'load' } }
    const loads = await plansOn(business, [business], part)
    expect(loads.map(({ id, connections }) => [id, connections])).toEqual([
      ['opener', 1],
      ['full-business', 1],
      ['burst-business', 50],
      ['empty-business', 1],
    ])
    expect(await loadsOn(pro, [pro], part)).toEqual(['burst-pro'])
  })
})
