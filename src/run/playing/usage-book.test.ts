import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { createUsageBook } from './contract-ways.js'

const minute = madeQuota({ id: 'minute', models: [...modelNames], limit: { free: 60 }, cost: { items: 2 } })
const address = madeQuota({ id: 'address', by: 'address', limit: { free: 100, pro: 100 }, windowMs: 300_000 })

const book = () => createUsageBook(madeContract([], { quotas: [minute, address] }), 1)

const use = (at: number, count: number, credential = 'free') => ({ at, credential, probe: 'items', count })

describe('what is left of the quotas of a contract', () => {
  it('is all of it before anything was sent', () => {
    expect(book().left(minute, 'free', 0)).toBe(60)
    expect(book().lastUsedAt(minute, 'free')).toBe(0)
    expect(book().roomAt(minute, 'free', 60)).toBe(0)
  })

  it('falls by what requests cost, and comes back a window after the last of them', () => {
    const spent = book()
    spent.used(use(1_000, 20))
    expect([spent.left(minute, 'free', 2_000), spent.left(minute, 'free', 61_601)]).toEqual([20, 60])
    expect(spent.lastUsedAt(minute, 'free')).toBe(1_000)
  })

  it('counts what others spend where it counts by address', () => {
    const spent = book()
    spent.used(use(1_000, 20))
    spent.used(use(2_000, 30, 'pro'))
    expect([spent.left(address, 'address', 3_000), spent.left(minute, 'free', 3_000)]).toEqual([50, 20])
  })

  it('has room for a number of requests once enough of it is over', () => {
    const spent = book()
    spent.used(use(1_000, 10))
    spent.used(use(30_000, 10))
    expect(spent.roomAt(minute, 'free', 20)).toBe(0)
    expect(spent.roomAt(minute, 'free', 40)).toBe(1_000 + 60_600)
    expect(spent.roomAt(minute, 'free', 60)).toBe(30_000 + 60_600)
  })

  it('never waits for more room than the quota has', () => {
    const spent = book()
    spent.used(use(1_000, 1))
    expect(spent.roomAt(minute, 'free', 1_000)).toBe(1_000 + 60_600)
  })
})
