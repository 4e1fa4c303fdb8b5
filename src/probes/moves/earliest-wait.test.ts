import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../evidence/exchange.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import type { ProbeContext } from '../probe.js'
import { askForShorter, mostAskedForShorter, waitsMayContradict } from './earliest-wait.js'

const windowMs = 60_000

/** A target that refuses, and names the moment that `momentAt` says of each refusal; undefined: it admits. */
const asked = async (momentAt: (now: number, count: number) => number | undefined) => {
  const moments = new Map<Exchange, number | undefined>()
  let [now, count] = [0, 0]
  const answer = (): Exchange => {
    const moment = momentAt(now, count)
    const x = madeExchange({ sentAt: now, status: moment === undefined ? 200 : 429 })
    moments.set(x, moment)
    return x
  }
  const context = {
    windowMs,
    longestWaitMs: 2 * windowMs,
    blockedForMs: 0,
    now: () => now,
    hintsOf: (x: Exchange) => ({ retryAt: moments.get(x) }),
    waitUntil: async (at: number) => {
      now = Math.max(now, at)
    },
    askOnce: async () => {
      count += 1
      return answer()
    },
  }
  const last = await askForShorter(context as unknown as ProbeContext<string>, answer())
  return { count, retryAt: moments.get(last) }
}

/** When a window that ends at 6 s allows a request, in whole seconds that are rounded up. */
const honest = (now: number): number => now + 1_000 * Math.ceil((6_000 - now) / 1_000)

describe('asking for a shorter wait', () => {
  it('asks until the end is near where all waits are rounded up, whatever part of a second they are asked in', async () => {
    const { count, retryAt } = await asked(honest)
    expect(count).toBe(mostAskedForShorter)
    expect(retryAt).toBeGreaterThanOrEqual(6_000)
  })

  it.each([14, 22, 31])('ends with the refusal number %i, whose seconds are cut off', async (faulty) => {
    const { count, retryAt } = await asked((now, n) => (n === faulty ? honest(now) - 1_000 : honest(now)))
    expect(count).toBe(faulty)
    expect(retryAt).toBeLessThan(6_000)
  })

  it('is not misled by one that came too early before it could be known', async () => {
    const { count } = await asked((now, n) => (n === 3 || n === 20 ? honest(now) - 1_000 : honest(now)))
    expect(count).toBe(20)
  })

  it('leaves time for the silence that puts the earliest moment to the test', async () => {
    const { count } = await asked((now) => now + 1_000 * Math.ceil((1_500 - now) / 1_000))
    expect(count).toBe(16)
  })

  it.each([
    ['is admitted', undefined],
    ['names one that nobody sits through', 10 * windowMs],
  ])('ends with an answer that %s', async (_, moment) => {
    expect((await asked((now, n) => (n === 1 ? moment : honest(now)))).count).toBe(1)
  })
})

const refused = (sentMs: number, retryAfter: number, part: Partial<MadeRow> = {}): MadeRow => ({
  sentMs,
  status: 429,
  retryAfter,
  ...part,
})
const date = { flags: ['retryAfterIsDate'] } as const

describe('waits that a load was told', () => {
  it.each<[string, readonly MadeRow[], boolean]>([
    ['agree where all are the same', [refused(0, 6), refused(10, 6), refused(20, 6)], false],
    ['agree where they shrink with time', [refused(0, 6), refused(10, 5), refused(20, 5)], false],
    ['agree where a ban makes them longer', [refused(0, 6), refused(10, 6), refused(20, 9), refused(30, 9)], false],
    ['contradict each other where they shrink and grow', [refused(0, 6), refused(10, 5), refused(20, 6)], true],
    ['the same, later', [refused(0, 6), refused(10, 5), refused(20, 5), refused(30, 6)], true],
    [
      'may contradict each other where the order of what was under way at once would explain them too',
      [refused(0, 6, { tookMs: 15 }), refused(10, 5, { tookMs: 15 }), refused(20, 6, { tookMs: 15 })],
      true,
    ],
    ['contradict each other as dates', [refused(0, 900, date), refused(10, 899, date), refused(20, 900, date)], true],
    ['are not compared across forms', [refused(0, 900, date), refused(10, 5), refused(20, 900, date)], false],
    ['say nothing on an admission', [refused(0, 6), refused(10, 5, { status: 200 }), refused(20, 6)], false],
    ['say nothing where none is named', [{ sentMs: 0, status: 429 }, { sentMs: 9 }], false],
  ])('%s', (_, rows, contradict) => {
    expect(waitsMayContradict(madeLedger(rows).rows)).toBe(contradict)
  })
})
