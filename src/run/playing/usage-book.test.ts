import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { noLongerLimit } from '../../contract/plans.js'
import { madeQuota } from '../../readings/testing/made-contract.js'
import { createUsageBook } from './usage-book.js'

const minute = madeQuota({ id: 'minute', models: [...modelNames], limit: { free: 60 }, cost: { items: 2 } })
const address = madeQuota({ id: 'address', by: 'address', limit: { free: 100, pro: 100 }, windowMs: 300_000 })

const other = { name: 'address', credential: 'free', request: 'items' }
const free = { ...other, name: 'free' }

const hour = { ...address, id: 'hour', windowMs: 3_600_000 }

const book = (longer = address) => createUsageBook([minute, longer], 1)

const use = (at: number, count: number, credential = 'free') => ({ at, credential, request: 'items', count })

describe('what is left of the quotas of a contract', () => {
  it('is all of it before anything was sent', () => {
    expect(book(hour).leftBeside(minute, free, 0)).toBe(100)
    expect(book().lastUsedAt(minute, free)).toBe(0)
    expect(book().roomAt(minute, free, 60)).toBe(0)
  })

  it('falls by what was sent, whoever sent it where it counts by address, and comes back a window after the last of it', () => {
    const spent = book(hour)
    spent.used(use(1_000, 20))
    spent.used(use(2_000, 30, 'pro'))
    expect(spent.lastUsedAt(minute, free)).toBe(1_000)
    expect(spent.lastUsedAt(hour, other)).toBe(2_000)
    expect([3_000, 3_637_001, 3_638_001].map((now) => spent.leftBeside(minute, free, now))).toEqual([50, 70, 100])
  })

  it('bounds nothing by a longer quota that is waited for', () => {
    const spent = book()
    spent.used(use(1_000, 80))
    expect(spent.leftBeside(minute, free, 2_000)).toBe(noLongerLimit)
  })

  it('lets requests go in groups, as the shorter quota beside has room for them', () => {
    const spent = book()
    const cheap = { ...minute, cost: {} }
    const beside = createUsageBook([cheap, address], 1)
    expect(beside.groupsInShorter(address, other, 70, 0)).toEqual([
      { atMs: 0, amount: 60 },
      { atMs: 60_650, amount: 10 },
    ])
    beside.used({ ...use(10_000, 45), refused: 5 })
    expect(beside.groupsInShorter(address, other, 30, 20_000)).toEqual([
      { atMs: 0, amount: 20 },
      { atMs: 50_650, amount: 10 },
    ])
    expect([beside.roomInShorter(address, other), spent.roomInShorter(address, other)]).toEqual([0, 0])
  })

  it('lets requests that go in turn have a group each where the shorter quota counts them apart', () => {
    const route = madeQuota({
      id: 'route',
      by: 'credential+request',
      requests: ['items', 'search'],
      limit: { free: 8 },
    })
    const all = madeQuota({ id: 'all', requests: ['items', 'search'], limit: { free: 20 }, windowMs: 120_000 })
    const groups = (requests: readonly string[]) => {
      const inTurn = requests.map((request) => ({ credential: 'free', request }))
      return createUsageBook([route, all], 1).groupsInShorter(all, { name: 'free', request: 'items', inTurn }, 20, 0)
    }
    expect(groups(['items', 'search'])).toEqual([
      { atMs: 0, amount: 16 },
      { atMs: 60_650, amount: 4 },
    ])
    expect(groups(['items']).map(({ amount }) => amount)).toEqual([8, 8, 4])
  })

  it('has room for a number of requests once enough of what others cost is over', () => {
    const spent = book()
    spent.used(use(1_000, 10))
    spent.used(use(30_000, 10))
    expect(spent.roomAt(minute, free, 20)).toBe(0)
    expect(spent.roomAt(minute, free, 40)).toBe(1_000 + 60_600)
    expect(spent.roomAt(minute, free, 60)).toBe(30_000 + 60_600)
  })

  it('never waits for more room than the quota has', () => {
    const spent = book()
    spent.used(use(1_000, 1))
    expect(spent.roomAt(minute, free, 1_000)).toBe(1_000 + 60_600)
  })

  it('tells when the longer quota beside has room, which a shorter one is kept by the pace', () => {
    const spent = book()
    spent.used(use(1_000, 80))
    expect(spent.waitsBeside(minute, free, 30)).toEqual([{ at: 1_000 + 303_000, why: 'room in the quota address' }])
    expect(spent.waitsBeside(address, other, 30)).toEqual([])
  })
})

describe('pacing', () => {
  const three = madeQuota({ id: 'three', models: [...modelNames], limit: { free: 3 }, windowMs: 1_000 })

  it('waits until a little more than a window after the request that is the limit ago', () => {
    const spent = createUsageBook([three], 1)
    for (const at of [0, 10]) spent.used(use(at, 1))
    expect(spent.roomAt(three, free)).toBe(0)
    spent.used(use(20, 1))
    expect(spent.roomAt(three, free)).toBe(1_010)
    spent.used(use(1_015, 1))
    expect(spent.roomAt(three, free)).toBe(1_020)
  })

  it.each([
    [3, 1_510],
    [2, 0],
    [9, 1_510],
  ])('takes a load of %d as sent at its end', (count, readyAt) => {
    const spent = createUsageBook([three], 1)
    spent.used(use(500, count))
    expect(spent.roomAt(three, free)).toBe(readyAt)
  })

  it('never lets more than the limit go in any span of a window', () => {
    const loads = fc.record({ pauseMs: fc.nat(700), count: fc.integer({ min: 1, max: 3 }) })
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), fc.array(loads, { maxLength: 60 }), (limit, asked) => {
        const quota = { ...three, limit: { free: limit } }
        const spent = createUsageBook([quota], 1)
        const sent: number[] = []
        let now = 0
        for (const { pauseMs, count } of asked) {
          now += pauseMs
          for (let i = 0; i < count; i += 1) {
            now = Math.max(now, spent.roomAt(quota, free))
            spent.used(use(now, 1))
            sent.push(now)
          }
        }
        const within = (from: number) => sent.filter((at) => at >= from && at <= from + quota.windowMs).length
        expect(Math.max(0, ...sent.map(within))).toBeLessThanOrEqual(limit)
      }),
    )
  })
})
