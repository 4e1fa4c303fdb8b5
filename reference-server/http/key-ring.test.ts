import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { healthyBehaviour, settingsOf } from '../petstore-app.js'
import { pipelineOf } from '../pipeline.js'
import { createMemoryStore } from '../stores/store.js'
import { type IssuedKey, keyRing } from './bearer-keys.js'

const keys: readonly IssuedKey[] = [
  { plan: 'free', secret: 'free-key-Rt65' },
  { plan: 'pro', secret: 'pro-key-Zu78' },
]

describe('the key ring', () => {
  it('knows exactly its keys', () => {
    const ring = keyRing(keys)
    expect(ring('pro-key-Zu78')).toEqual({ id: 'pro-1', plan: 'pro' })
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('free-key-Rt6', 'free-key-Rt655', '__proto__')), (token) => {
        expect(ring(token)).toBeUndefined()
      }),
    )
  })

  it('holds no key in what it keeps', () => {
    const seen: unknown[] = []
    const { set } = Map.prototype
    Map.prototype.set = function (name, value) {
      seen.push([name, value])
      return set.call(this, name, value)
    }
    try {
      keyRing(keys)
    } finally {
      Map.prototype.set = set
    }
    expect(seen.length).toBeGreaterThanOrEqual(2)
    for (const { secret } of keys) expect(inspect(seen, { depth: 9 })).not.toContain(secret)
  })
})

describe('a flood of unknown keys', () => {
  it('takes no memory: it is charged to the address that sends it', () => {
    const behaviour = healthyBehaviour(settingsOf({ keys }), () => behaviour)
    const store = createMemoryStore(behaviour)
    const pipeline = pipelineOf(behaviour, store)
    for (let nth = 0; nth < 20_000; nth += 1) {
      const authorization = `Bearer unknown-${nth}`
      const request = {
        method: 'GET',
        url: '/v1/inventory',
        headers: { authorization },
        rawHeaders: ['Authorization', authorization],
        socket: { remoteAddress: '127.0.0.1' },
      }
      pipeline.enter(request as Parameters<typeof pipeline.enter>[0], 'listInventory')
    }
    expect(store.size).toBe(1)
  })
})
