import { describe, expect, it } from 'vitest'
import { madeKey } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { ProbeBlocked, ProbeSkipped } from '../probes/probe.js'
import { createBudget } from '../run/plan/budget.js'
import { heldRun, heldSession } from '../run/testing/held-run.js'
import { createInventoryKeeper } from './inventory-keeper.js'

const pet = (id: bigint, quantity: bigint) => ({ id, quantity, status: 'sold' })
const entry = (id: bigint | string, quantity: bigint | string) =>
  `{"petId":${id},"quantity":${quantity},"status":"sold"}`

/** A store of two pets behind a session; `refuse` answers instead where it gives something. */
const setup = (
  refuse: (method: string, nth: number) => ExchangePart | undefined = () => undefined,
  readOnly = false,
) => {
  const stock = new Map([
    [1n, 5n],
    [2n, 7n],
  ])
  const run = heldRun(({ method, path, body }, nth) => {
    const instead = refuse(method, nth)
    if (instead) return instead
    if (method === 'PATCH') stock.set(BigInt(path.split('/')[2]), BigInt(/\d+/.exec(String(body))?.[0] ?? 0))
    return { body: `[${[...stock].map(([id, quantity]) => entry(id, quantity)).join(',')}]` }
  })
  const requests = (probe: string) => ({ key: 'free', probe, requests: 50 })
  const budget = createBudget([
    requests('walk'),
    requests('restore'),
    { key: 'any', probe: 'asked-again', requests: 50 },
  ])
  const { session } = heldSession(run, madeKey('free'), budget)
  const keeper = createInventoryKeeper(run.log, readOnly)
  const types = () => run.written.map(({ type }) => type).filter((type) => type !== 'exchange' && type !== 'note')
  const sent = () => run.asked.map(({ method, probe, step }) => `${method} ${probe} ${step}`)
  const patch = (id: bigint, quantity: bigint) => {
    stock.set(id, quantity)
    keeper.wrote(session.now())
    run.clock.pass(1)
  }
  return { ...run, stock, session, keeper, types, sent, patch }
}

describe('the pets of a listing', () => {
  const large = 9007199254740993n

  it.each<[string, ExchangePart, unknown]>([
    ['keep every digit', { body: `[${entry(large, 5n)}]` }, [pet(large, 5n)]],
    ['are none where the list is empty', { body: '[]' }, []],
    ['leave out an entry that breaks the schema', { body: `[${entry(1n, '"5"')},${entry(2n, 5n)}]` }, [pet(2n, 5n)]],
    ['are not known where no entry can be read', { body: `[${entry(1n, '"5"')}]` }, undefined],
    ['are not known from an object', { body: '{}' }, undefined],
    ['are not known from broken JSON', { body: '[' }, undefined],
    ['are not known from another status', { body: '[]', status: 201 }, undefined],
    ['are not known from bytes', { body: Uint8Array.from([0xff]) }, undefined],
    ['are not known from a body that was cut off', { body: '[]', truncated: true }, undefined],
    ['are not known without an answer', { status: null }, undefined],
  ])('%s', async (_name, part, pets) => {
    const { keeper, session } = setup(() => part)
    const read = keeper.read(session, 'walk', 'before')
    if (pets === undefined) await expect(read).rejects.toEqual(new ProbeBlocked('inventory-unreadable'))
    else expect(await read).toEqual(pets)
  })
})

describe('the inventory keeper', () => {
  it('reads the list for a probe', async () => {
    const { keeper, session, sent } = setup()
    expect(await keeper.read(session, 'walk', 'before')).toEqual([pet(1n, 5n), pet(2n, 7n)])
    expect(sent()).toEqual(['GET walk before'])
  })

  it.each<[string, ExchangePart]>([
    ['still-refused', { status: 429, headers: { 'Retry-After': '0' } }],
    ['inventory-unreadable', { body: '{}' }],
    ['inventory-unreadable', { status: 500 }],
  ])('blocks the probe where it is %s', async (reason, part) => {
    const { keeper, session } = setup(() => part)
    await expect(keeper.read(session, 'walk', 'before')).rejects.toEqual(new ProbeBlocked(reason as never))
  })

  it('puts nothing back where nothing was touched', async () => {
    const { keeper, session, asked } = setup()
    await keeper.restore(session)
    expect(asked).toEqual([])
  })

  it('puts a pet back to the quantity that it had when it was first touched, and writes both down', async () => {
    const { keeper, session, stock, patch, types, sent, written } = setup()
    keeper.willTouch(pet(1n, 5n))
    patch(1n, 4n)
    keeper.willTouch(pet(1n, 4n))
    patch(1n, 3n)
    await keeper.restore(session)
    expect(stock.get(1n)).toBe(5n)
    expect(sent()).toEqual(['GET restore read', 'PATCH restore patch', 'GET restore read-back'])
    expect(types()).toEqual(['touched', 'restored'])
    expect(written[0]).toEqual({ type: 'touched', petId: '1', quantity: '5' })
  })

  it('puts back only what differs', async () => {
    const { keeper, session, patch, types, sent } = setup()
    keeper.willTouch(pet(1n, 5n))
    keeper.willTouch(pet(2n, 7n))
    patch(2n, 9n)
    await keeper.restore(session)
    expect(sent().filter((each) => each.startsWith('PATCH'))).toHaveLength(1)
    expect(types()).toEqual(['touched', 'touched', 'restored', 'restored'])
  })

  it('does not read again what it has read since the last change', async () => {
    const { keeper, session, patch, sent } = setup()
    keeper.willTouch(pet(1n, 5n))
    patch(1n, 4n)
    patch(1n, 5n)
    await keeper.read(session, 'walk', 'after')
    await keeper.restore(session)
    expect(sent()).toEqual(['GET walk after'])
  })

  it('reads again where something was changed after the last reading', async () => {
    const { keeper, session, stock, patch, sent } = setup()
    keeper.willTouch(pet(1n, 5n))
    await keeper.read(session, 'walk', 'before')
    patch(1n, 4n)
    await keeper.restore(session)
    expect(sent().slice(1)).toEqual(['GET restore read', 'PATCH restore patch', 'GET restore read-back'])
    expect(stock.get(1n)).toBe(5n)
  })

  it('keeps the latest change in mind, whatever order they are told in', async () => {
    const { keeper, session, stock, clock, sent } = setup()
    keeper.willTouch(pet(1n, 5n))
    await keeper.read(session, 'walk', 'before')
    stock.set(1n, 4n)
    keeper.wrote(clock.monotonicMs() + 1)
    keeper.wrote(0)
    await keeper.restore(session)
    expect(sent()).toContain('PATCH restore patch')
  })

  it('does not say that a pet is back before a reading shows it, and tries again the next time', async () => {
    let deaf = true
    const { keeper, session, stock, patch, types } = setup((method) =>
      deaf && method === 'PATCH' ? { status: 500 } : undefined,
    )
    keeper.willTouch(pet(1n, 5n))
    patch(1n, 4n)
    expect(await keeper.restore(session)).toBe(false)
    expect(types()).toEqual(['touched'])
    deaf = false
    expect(await keeper.restore(session)).toBe(true)
    expect(stock.get(1n)).toBe(5n)
    expect(types()).toEqual(['touched', 'restored'])
  })

  it('books what it sends under the name that it is given', async () => {
    const { keeper, session, patch, sent } = setup()
    keeper.willTouch(pet(1n, 5n))
    patch(1n, 4n)
    expect(await keeper.restore(session, undefined, 'walk')).toBe(true)
    expect(sent()).toEqual(['GET walk read', 'PATCH walk patch', 'GET walk read-back'])
  })

  it('keeps a pet in mind that the list no longer shows', async () => {
    const { keeper, session, stock, types } = setup()
    keeper.willTouch(pet(1n, 5n))
    stock.delete(1n)
    await keeper.restore(session).catch(() => {})
    expect(types()).toEqual(['touched', 'restored'])
  })

  it('lets nothing be touched in a run that only reads', () => {
    const { keeper, written } = setup(undefined, true)
    expect(() => keeper.willTouch(pet(1n, 5n))).toThrow(new ProbeSkipped('read-only'))
    expect(written).toEqual([])
  })
})
