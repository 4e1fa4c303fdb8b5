import { describe, expect, it } from 'vitest'
import { petstore } from '../../contract/petstore/petstore.js'
import { wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { ProbeBlocked } from '../../probes/probe.js'
import type { Ask } from '../../wire/http/exchange-sender.js'
import { createBudget } from '../plan/budget.js'
import { heldRun, heldSession } from '../testing/held-run.js'
import type { KeySession } from './key-session.js'

const quota = { limit: 3, longer: 20 }

const setup = (answer: (ask: Ask, nth: number) => ExchangePart = () => ({}), again = 10) => {
  const run = heldRun(answer)
  const abort = new AbortController()
  const budget = createBudget([
    { key: 'free', probe: 'hello', requests: 50 },
    { key: 'strangers', probe: 'hello', requests: 50 },
    { key: 'any', probe: 'asked-again', requests: again },
  ])
  const key = { name: 'free', plan: 'free', quota } as const
  const { session, book } = heldSession(run, key, budget, { signal: abort.signal })
  const lastUsedAt = () => book.lastUsedAt(petstore.quotas[0], key)
  const sentAt = () => run.exchanges.map((x) => x.sentAt)
  return { ...run, session, abort, sentAt, lastUsedAt }
}

const loaded = (session: KeySession, count: number, made: readonly MadeRow[]) => {
  const { rows } = madeLedger(made)
  session.loaded('hello', rows, [{ count, rows, credential: 'free' }])
}

const list = { step: 'list', operation: 'listInventory' } as const

describe('when a key was served again', () => {
  it('lies between the last refusal and the first answer after it', async () => {
    const { session } = setup((_, nth) => ({ status: nth === 2 || nth === 3 ? 429 : 200 }))
    expect(session.lastReturn()).toBeUndefined()
    for (let i = 0; i < 5; i += 1) await session.askOnce('hello', list)
    expect(session.lastReturn()).toEqual({ refusedAt: 20, servedAt: 30 })
  })

  it('is told beside the moment that the last refusal had named', async () => {
    const { session } = setup((_, nth) =>
      nth === 1 ? { status: 429, headers: { 'Retry-After': '60' } } : { status: 200 },
    )
    for (let i = 0; i < 2; i += 1) await session.askOnce('hello', list)
    expect(session.lastReturn()?.namedAt).toBeGreaterThanOrEqual(60_000)
  })
})

describe('a key', () => {
  it('is free while it has room, and once it is spent when its quota is back by any way to count', async () => {
    const { session } = setup()
    await session.askOnce('hello', list)
    expect(session.freeAt()).toBe(0)
    for (let i = 0; i < 2; i += 1) await session.askOnce('hello', list)
    expect(session.freeAt()).toBeGreaterThan(1_000)
  })

  it('is free no sooner than its last refusal asks for', async () => {
    const { session } = setup(() => ({ status: 429, headers: [['Retry-After', '4']] }))
    await session.askOnce('hello', list)
    expect(session.freeAt()).toBeGreaterThan(4_000)
  })

  it('knows where windows end by the last Reset, and that one lasts a window more', async () => {
    const resetAt = wallStartMs / 1000 + 3
    const headers = [
      ['X-RateLimit-Limit', '3'],
      ['X-RateLimit-Remaining', '2'],
      ['X-RateLimit-Reset', `${resetAt}`],
    ] as const
    const { session } = setup(() => ({ headers }))
    expect(session.windowEndAfter(0)).toBeUndefined()
    await session.askOnce('hello', list)
    const end = session.windowEndAfter(0) ?? Number.NaN
    expect(end).toBeGreaterThan(1_000)
    expect(session.windowEndAfter(end + 1)).toBe(end + 1_000)
  })
})

describe('a key that is refused after the wait that was named', () => {
  it('waits for Reset as well, by any clock', async () => {
    const headers = [
      ['Retry-After', '1'],
      ['X-RateLimit-Limit', '3'],
      ['X-RateLimit-Reset', `${wallStartMs / 1000 + 3}`],
    ] as const
    const { session, sentAt } = setup((_, nth) => (nth < 3 ? { status: 429, headers } : {}))
    await session.ask('hello', list)
    const [first, second, third] = sentAt()
    expect(second - first).toBeLessThan(1_100)
    expect(third - second).toBeGreaterThan(2_000)
  })
})

describe('a question', () => {
  it('goes out in the ordinary way where nothing else is said', async () => {
    const { session, asked } = setup()
    await session.ask('hello', list)
    expect(asked[0]).toEqual({
      probe: 'hello',
      step: 'list',
      intent: {},
      operation: 'listInventory',
      method: 'GET',
      path: '/inventory',
      credential: { form: 'bearer', key: 'free' },
      headers: [],
      body: undefined,
      asksAgain: undefined,
    })
  })

  it('may say everything else', async () => {
    const { session, asked } = setup()
    const headers = [['X-Forwarded-For', '1.2.3.4']] as const
    await session.ask('hello', {
      step: 'odd',
      method: 'PUT',
      path: '/x?y',
      as: 'none',
      headers,
      contentType: 'text/plain',
    })
    expect(asked[0]).toMatchObject({
      operation: null,
      method: 'PUT',
      path: '/x?y',
      credential: { form: 'none' },
      headers: [['Content-Type', 'text/plain'], ...headers],
    })
  })

  it.each([
    [{ body: '{}' }, [['Content-Type', 'application/json']]],
    [{ body: '' }, [['Content-Type', 'application/json']]],
    [{ body: '{}', contentType: null }, []],
    [{ body: '{}', contentType: 'text/plain' }, [['Content-Type', 'text/plain']]],
    [{}, []],
  ])('with %j declares its body as %j', async (part, headers) => {
    const { session, asked } = setup()
    await session.ask('hello', { step: 'patch', operation: 'updateInventory', petId: 7n, ...part })
    expect(asked[0]).toMatchObject({ method: 'PATCH', path: '/inventory/7', headers })
  })
})

describe('pacing', () => {
  it('keeps single questions within the limit of the plan', async () => {
    const { session, sentAt } = setup()
    for (let i = 0; i < 7; i += 1) await session.ask('hello', list)
    expect(sentAt()).toEqual([0, 10, 20, 1_010, 1_020, 1_030, 2_020])
  })

  it('does not count what nobody with a key sent, and does not hold it back', async () => {
    const { session, sentAt, lastUsedAt } = setup()
    for (let i = 0; i < 5; i += 1) await session.ask('hello', { ...list, as: i % 2 ? 'none' : 'unknown-key' })
    expect(sentAt()).toEqual([0, 10, 20, 30, 40])
    expect(lastUsedAt()).toBe(0)
    expect(session.dayLeft()).toBe(20)
  })

  it('does not hold back who has just been served again after a refusal, for a few requests', async () => {
    const { session, sentAt } = setup((_, nth) => (nth === 4 ? { status: 429, headers: { 'Retry-After': '0' } } : {}))
    for (let i = 0; i < 5; i += 1) await session.askOnce('hello', list)
    await session.ask('hello', list)
    await session.ask('hello', list)
    expect(sentAt()).toEqual([0, 10, 20, 30, 40, 50, 1040])
  })

  it('does not hold back who wants to see the limit', async () => {
    const { session, sentAt } = setup()
    for (let i = 0; i < 5; i += 1) await session.askOnce('hello', list)
    expect(sentAt()).toEqual([0, 10, 20, 30, 40])
  })

  it('waits a window after a load, and counts it in the day', async () => {
    const { session, sentAt, lastUsedAt } = setup()
    loaded(session, 9, [{ sentMs: 400 }])
    await session.ask('hello', list)
    expect(sentAt()).toEqual([1_410])
    expect(session.dayLeft()).toBe(10)
    expect(lastUsedAt()).toBe(1_410)
  })

  it('waits for the moment at which the quota that an answer shows as spent is there again', async () => {
    const reset = String((wallStartMs + 600_000) / 1000)
    const headers = { 'X-RateLimit-Limit': '3', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset }
    const { session, sentAt } = setup((_ask, nth) => (nth === 1 ? { headers } : {}))
    await session.ask('hello', list)
    await session.ask('hello', list)
    // Never longer than a window: Reset may be anything.
    expect(sentAt()).toEqual([0, 1_010])
  })

  it.each([
    ['a mistake of ours used up the last of it', [1, 0], 400, 1_020],
    ['it comes from nowhere on another status', [50, 0], 404, 20],
    ['it is always there', [0, 0], 200, 1_020],
  ])('takes a Remaining of 0 at its word or not: %s', async (_name, remaining, status, at) => {
    const answer = (nth: number) => ({
      status: nth === 2 ? status : 200,
      headers: {
        'X-RateLimit-Limit': '3',
        'X-RateLimit-Remaining': String(remaining[nth - 1] ?? 2),
        'X-RateLimit-Reset': String((wallStartMs + 600_000) / 1000),
      },
    })
    const { session, sentAt } = setup((_ask, nth) => answer(nth))
    for (let i = 0; i < 3; i += 1) await session.ask('hello', list)
    expect(sentAt()[2]).toBe(at)
  })
})

describe('a refusal', () => {
  const refusing = (times: number, headers: Record<string, string>) => (_ask: Ask, nth: number) =>
    nth <= times ? { status: 429, headers } : {}

  it('is waited out as told, and the question is asked again', async () => {
    const { session, exchanges, sentAt, seen } = setup(refusing(1, { 'Retry-After': '2' }))
    const x = await session.ask('hello', list)
    expect(x).toMatchObject({ id: 'x2', asksAgain: 'x1', response: { status: 200 } })
    expect(exchanges).toHaveLength(2)
    expect(sentAt()).toEqual([0, 2_015])
    expect(seen).toContainEqual(expect.objectContaining({ kind: 'waiting', key: 'free', until: 2_015 }))
  })

  it('that names no wait is waited out for a window', async () => {
    const { session, sentAt } = setup(refusing(1, {}))
    await session.ask('hello', list)
    expect(sentAt()).toEqual([0, 1_010])
  })

  it('is given back after five askings, or where nothing is left to ask again with', async () => {
    const stubborn = setup(refusing(99, { 'Retry-After': '0' }))
    expect((await stubborn.session.ask('hello', list)).response?.status).toBe(429)
    expect(stubborn.asked).toHaveLength(5)
    const poor = setup(refusing(99, { 'Retry-After': '0' }), 1)
    await poor.session.ask('hello', list)
    expect(poor.asked).toHaveLength(2)
  })

  it('that asks for more than three windows blocks the probe', async () => {
    const { session, asked } = setup(refusing(99, { 'Retry-After': '60' }))
    await expect(session.ask('hello', list)).rejects.toThrow(ProbeBlocked)
    expect(asked).toHaveLength(1)
  })

  it('holds back strangers too, for the limit may be one on them', async () => {
    const { session, sentAt } = setup(refusing(1, { 'Retry-After': '1' }))
    await session.ask('hello', { ...list, as: 'none' })
    expect(sentAt()).toEqual([0, 1_015])
  })

  it('is not asked again by who asked once', async () => {
    const { session, asked } = setup(refusing(1, { 'Retry-After': '1' }))
    expect((await session.askOnce('hello', list)).response?.status).toBe(429)
    expect(asked).toHaveLength(1)
  })
})

describe('a connection that was dropped', () => {
  const error = { phase: 'head', code: 'UND_ERR_SOCKET', message: 'other side closed' } as const

  it('is tried once more', async () => {
    const { session, asked } = setup(() => ({ status: null, error }))
    const x = await session.ask('hello', list)
    expect(asked).toHaveLength(2)
    expect(x).toMatchObject({ id: 'x2', asksAgain: 'x1', response: null })
  })

  it.each<[string, ExchangePart]>([
    ['nobody was there', { status: null, error: { ...error, phase: 'connect' } }],
    ['it took long: the target may be at it', { status: null, error, tookMs: 1_500 }],
    ['an answer had begun', { error: { ...error, phase: 'body' } }],
  ])('is not where %s', async (_name, part) => {
    const { session, asked } = setup(() => part)
    await session.ask('hello', list)
    expect(asked).toHaveLength(1)
  })
})

describe('an answer of a gateway that stood in for the target', () => {
  it.each([502, 503, 504])('is not taken for the answer at once: %i', async (status) => {
    const { session, asked } = setup((_ask, nth) => ({ status: nth === 1 ? status : 400 }))
    const x = await session.ask('hello', list)
    expect(asked).toHaveLength(2)
    expect(x).toMatchObject({ id: 'x2', asksAgain: 'x1', response: { status: 400 } })
  })

  it('is, when it comes again', async () => {
    const { session, asked } = setup(() => ({ status: 502 }))
    expect((await session.ask('hello', list)).response?.status).toBe(502)
    expect(asked).toHaveLength(2)
  })

  it('is not waited for where the service itself failed', async () => {
    const { session, asked } = setup(() => ({ status: 500 }))
    await session.ask('hello', list)
    expect(asked).toHaveLength(1)
  })
})

describe('a session', () => {
  it('remembers the longest round trip, the usual one and the last use', async () => {
    const { session, lastUsedAt } = setup((_ask, nth) => ({ tookMs: [30, 70, 20][nth - 1] }))
    for (let i = 0; i < 3; i += 1) await session.ask('hello', list)
    expect(session.longestRoundTripMs()).toBe(70)
    expect(session.usualRoundTripMs()).toBe(30)
    expect(lastUsedAt()).toBe(100)
  })

  it('knows what is left of the day: what it sent itself, or what the target shows', async () => {
    const shown = (remaining: number) => ({
      headers: { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': `${remaining}` },
    })
    const { session } = setup((_ask, nth) => (nth === 2 ? shown(5) : {}))
    await session.ask('hello', list)
    expect(session.dayLeft()).toBe(19)
    await session.ask('hello', list)
    expect(session.dayLeft()).toBe(5)
  })

  it('counts what goes out after the target showed it, and takes what a load showed', async () => {
    const shown = { headers: { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': '12' } }
    const { session } = setup((_ask, nth) => (nth === 1 ? shown : {}))
    await session.ask('hello', list)
    expect(session.dayLeft()).toBe(12)
    loaded(session, 5, [{ sentMs: 100 }])
    expect(session.dayLeft()).toBe(7)
    loaded(session, 2, [{ sentMs: 200, limit: 20, remaining: 3 }])
    expect(session.dayLeft()).toBe(3)
    loaded(session, 9, [{ sentMs: 300 }])
    expect(session.dayLeft()).toBe(0)
  })

  it('does not take for the day what is shown of the minute, or to another credential', async () => {
    const shown = (limit: number) => ({ headers: { 'X-RateLimit-Limit': `${limit}`, 'X-RateLimit-Remaining': '1' } })
    const { session } = setup((_ask, nth) =>
      nth === 1 ? shown(3) : nth === 2 ? shown(20) : { headers: { 'X-RateLimit-Limit': '20' } },
    )
    await session.ask('hello', list)
    await session.ask('hello', { ...list, as: 'unknown-key' })
    await session.ask('hello', list)
    expect(session.dayLeft()).toBe(18)
  })

  it('does not take the day for spent where a ban shows that nothing of it remains', async () => {
    const banned = { status: 403, headers: { 'X-RateLimit-Limit': '20', 'X-RateLimit-Remaining': '0' } }
    const { session } = setup(() => banned)
    await session.askOnce('hello', list)
    expect(session.dayLeft()).toBe(19)
  })

  it('counts its time from the start of the run', async () => {
    const run = heldRun(() => ({}))
    run.clock.pass(7_000)
    const key = { name: 'free', plan: 'free', quota } as const
    const { session } = heldSession(run, key, createBudget([]), { startedAt: 5_000 })
    expect(session.now()).toBe(2_000)
  })

  it('writes every exchange down, and tells about waits of more than a second', async () => {
    const { session, written, seen } = setup()
    await session.ask('hello', list)
    await session.waitUntil(500, 'nothing much')
    await session.waitUntil(2_000, 'a window')
    expect(written.map(({ type }) => type)).toEqual(['exchange', 'note'])
    expect(written[1]).toMatchObject({ text: 'free: waiting 1.5 s for a window' })
    expect(seen.map(({ kind }) => kind)).toEqual(['sent', 'waiting'])
  })

  it('sends nothing more than was planned', async () => {
    const { session, asked } = setup()
    await expect(session.ask('no-key', list)).rejects.toThrow(new ProbeBlocked('requests-spent'))
    expect(asked).toEqual([])
  })

  it('stops when the run is interrupted, the exchange that was under way written down', async () => {
    const { session, abort, written, asked } = setup(() => {
      abort.abort(new Error('enough'))
      return {}
    })
    await expect(session.ask('hello', list)).rejects.toThrow('enough')
    expect(written.map(({ type }) => type)).toEqual(['exchange'])
    await expect(session.ask('hello', list)).rejects.toThrow('enough')
    expect(asked).toHaveLength(1)
  })
})
