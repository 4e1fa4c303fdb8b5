import { describe, expect, it } from 'vitest'
import { buildApp } from '../petstore-app.js'
import { heldClock } from '../testing/held-clock.js'

const keys = [
  { plan: 'free', secret: 'free-key' },
  { plan: 'pro', secret: 'pro-key' },
] as const
const quotas = { free: { minute: 5, day: 100 } }

/** A server with one fault, on a clock of its own; each answer as its status and body. */
const serve = (fault: string) => {
  const clock = heldClock()
  const app = buildApp({ keys, quotas, clock, faults: [fault] })
  const ask = async (method: 'GET' | 'PATCH', url: string, payload?: string, key = 'free-key') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const { statusCode, body, headers: told } = await app.inject({ method, url: `/v1${url}`, payload, headers })
    return { status: statusCode, body, waitMs: Number(told['retry-after']) * 1000 }
  }
  return { clock, ask }
}

describe('what a faulty inventory does', () => {
  it('carries a refused PATCH out once its wait is over, and not before', async () => {
    const { clock, ask } = serve('refused-patch-applied-later')
    for (let sent = 0; sent < 5; sent += 1) await ask('GET', '/store/orders')
    const { status, waitMs } = await ask('PATCH', '/inventory/1', '{"quantity":41}')
    expect(status).toBe(429)
    clock.ms += waitMs - 1_000
    const early = await ask('GET', '/inventory', undefined, 'pro-key')
    expect(early.body).toContain('{"petId":1,"quantity":0,')
    clock.ms += 1_000
    expect((await ask('GET', '/inventory')).body).toContain('{"petId":1,"quantity":41,')
  })

  it('lists one petId twice, both with the quantity that a PATCH sets, and none above it', async () => {
    const { ask } = serve('pet-id-listed-twice')
    expect((await ask('PATCH', '/inventory/9007199254740992', '{"quantity":3}')).status).toBe(200)
    const { body } = await ask('GET', '/inventory')
    expect(body.match(/"petId":\d{16,}/g)).toEqual(Array(2).fill('"petId":9007199254740992'))
    expect(body.match(/9007199254740992,"quantity":3/g)).toHaveLength(2)
    expect((await ask('PATCH', '/inventory/9007199254740993', '{"quantity":3}')).status).toBe(404)
  })

  it.each([
    ['unknown-pet-answers-500', '/inventory/999', '{"quantity":3}'],
    ['broken-json-answers-500', '/inventory/1', '{"quan'],
  ])('answers 500 where that is the fault: %s', async (fault, url, body) => {
    expect((await serve(fault).ask('PATCH', url, body)).status).toBe(500)
  })

  it('answers every seventh list with 500', async () => {
    const { clock, ask } = serve('list-stumbles-at-times')
    const statuses: number[] = []
    for (let sent = 0; sent < 14; sent += 1) {
      clock.ms += 60_000
      statuses.push((await ask('GET', '/inventory')).status)
    }
    expect(statuses.flatMap((status, at) => (status === 200 ? [] : [[at + 1, status]]))).toEqual([
      [7, 500],
      [14, 500],
    ])
  })
})
