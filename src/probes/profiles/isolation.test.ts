import { describe, expect, it } from 'vitest'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { type KeyFacts, ProbeBlocked, type ProbeContext } from '../probe.js'
import { isolation } from './isolation.js'

const windowMs = 2_000
const keyOf = (name: string, minute: number): KeyFacts => ({
  name,
  plan: name,
  quota: { limit: minute, longer: 1_000_000 },
})

/** What is done on which key, in turn. */
const playedOn = async (keys: readonly KeyFacts[], status = 200, settings = {}, part = {}): Promise<string[]> => {
  const done: string[] = []
  const contexts = keys.map((key) => ({
    key,
    keys,
    others: [] as unknown[],
    windowMs,
    isShort: false,
    lastUsedAt: () => 0,
    lastReturn: () => undefined,
    namesLongWaits: () => false,
    carriesOver: () => false,
    comesBackInBits: () => false,
    longestRoundTripMs: () => 1,
    usualRoundTripMs: () => 1,
    waitUntil: async (at: number) => void (at >= windowMs && done.push(`${key.name} is left alone`)),
    now: () => 0,
    longestWaitMs: 60_000,
    roomOf: (credential: string) => (credential === 'late' ? 60_001 : 0),
    askOnce: async ({ step, credential = key.name }: { step: string; credential?: string }) => {
      done.push(`${step} ${credential}`)
      return madeExchange({ status })
    },
    load: async () => void done.push(`spends ${key.name}`),
    hasInventory: false,
    inTurn: <T>([first]: readonly T[]) => first,
    willTouch: () => {},
    inventory: async (step: string) => {
      done.push(`${step} ${key.name}`)
      return [{ id: 1n, quantity: 5n, status: 'sold' }]
    },
    ...part,
  }))
  contexts[0].others = contexts.slice(1)
  await isolation.play(contexts[0] as unknown as ProbeContext<string>, isolation.settings.parse(settings))
  return done
}

describe('isolation', () => {
  it('asks with a key before and after requests of those who count in other quotas, where they have room soon', async () => {
    const callers = ['user', 'late'].map((credential) => ({ credential, requests: 2 }))
    const anon = { ...keyOf('anon', 60), otherCallers: callers }
    expect(await playedOn([anon])).toEqual(['ahead anon', 'by-another user', 'by-another user', 'beside anon'])
    expect(isolation.cost(anon, {}, [anon]).keyed).toBe(isolation.cost(keyOf('anon', 60), {}, [anon]).keyed + 8)
  })

  it.each<[string, number, number, readonly string[]]>([
    ['asks at once with a key that has room', 60, 300, []],
    ['lets a key be whole first that what was asked before may have spent', 10, 300, ['free is left alone']],
    ['lets it be whole where both are small', 10, 20, ['free is left alone']],
  ])('%s', async (_, free, pro, first) => {
    const keys = [keyOf('free', free), keyOf('pro', pro)]
    expect(await playedOn(keys)).toEqual([...first, 'ahead free', 'spends pro', 'beside free'])
    expect(isolation.cost(keys[0], {}, keys).minutes).toBe(first.length)
  })

  it('leaves those whole that a burst spends next: the smallest, and one with a short day', async () => {
    const short = { ...keyOf('enterprise', 50), quota: { limit: 50, longer: 150 } }
    const keys = [keyOf('free', 60), keyOf('pro', 300), keyOf('business', 1_000), short]
    const spent = (done: readonly string[]) => done.filter((each) => each.startsWith('spends'))
    expect(spent(await playedOn(keys))).toEqual(['spends business', 'spends pro', 'spends free'])
    expect(spent(await playedOn(keys, 200, { keeps: 'smallest' }))).toEqual(['spends business', 'spends pro'])
    expect(spent(await playedOn(keys.slice(0, 1).concat(short), 200, { keeps: 'smallest' }))).toEqual(['spends free'])
  })

  it('changes a pet, three times, between lists of another', async () => {
    const keys = [keyOf('free', 60), keyOf('pro', 300), keyOf('business', 1_000)]
    const done = await playedOn(keys, 200, {}, { hasInventory: true })
    const changes = Array.from({ length: 3 }, () => ['patch business', 'ahead pro']).flat()
    const first = ['before business', 'before pro', ...changes, 'ahead free', 'spends business']
    expect(done).toEqual([...first, 'beside pro', 'beside free', 'ahead free', 'spends pro', 'beside free'])
    const without = { hasInventory: true, inventory: () => Promise.reject(new ProbeBlocked('inventory-unreadable')) }
    for (const part of [without, { hasInventory: true, readOnly: true }])
      expect(await playedOn(keys, 200, {}, part)).toEqual(await playedOn(keys))
  })

  it('asks a key once more that is refused', async () => {
    const done = await playedOn([keyOf('free', 60), keyOf('pro', 300)], 429)
    expect(done).toEqual(['ahead free', 'spends pro', 'beside free', 'beside free'])
  })

  it('waits for nobody where there is one key', () => {
    const key = keyOf('free', 10)
    expect(isolation.cost(key, {}, [key]).minutes).toBe(0)
  })
})
