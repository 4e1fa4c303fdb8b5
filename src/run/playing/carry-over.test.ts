import { describe, expect, it } from 'vitest'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { watchCarryOver, watchRefill } from './carry-over.js'

/** So many admitted at a moment, and one refused behind them. */
const refusedBehind = (sentMs: number, admitted: number): MadeRow[] => [
  ...Array.from({ length: admitted }, () => ({ sentMs })),
  { sentMs, status: 429 },
]

/** Whether a key of 60 a minute that was spent at 100 ms shows it, where a load is refused again behind so many. */
const seenAfter = (sentMs: number, admitted: number, firstAt = 0): boolean => {
  const watched = watchCarryOver(60, 60_000)
  watched.answered(madeExchange({ sentAt: firstAt, status: 200 }), firstAt, { limit: 60, remaining: 59 })
  for (const rows of [refusedBehind(100, 59), refusedBehind(sentMs, admitted)]) watched.loaded(madeLedger(rows).rows)
  return watched.isSeen()
}

describe('what a window before still counts', () => {
  it('is seen where the quota comes back bit by bit, later than a bucket and sooner than a log gives it back', () => {
    expect(seenAfter(20_000, 2)).toBe(true)
    expect(seenAfter(20_000, 19)).toBe(false)
    expect(seenAfter(59_000, 2)).toBe(false)
  })

  it.each([
    ['is left', 48, true],
    ['is but the request itself', 59, false],
  ])('is seen by what %s after a window of silence', (_, remaining, isSeen) => {
    const watched = watchCarryOver(60, 60_000)
    watched.answered(madeExchange({ sentAt: 61_000, status: 200 }), 61_000, { limit: 60, remaining })
    expect(watched.isSeen()).toBe(isSeen)
  })
})

describe('what comes back bit by bit', () => {
  it.each([
    ['is seen where a key is spent three times in a short time', [100, 10_000, 20_000], true],
    ['is not, where windows of half the length may have ended in between', [100, 20_000, 40_000], false],
    ['is not, where it was spent twice: a window ended', [100, 10_000], false],
  ])('%s', (_, moments, isSeen) => {
    const watched = watchRefill(60_000)
    for (const at of moments) watched.loaded(madeLedger(refusedBehind(at, 5)).rows)
    expect(watched.isSeen()).toBe(isSeen)
  })

  it('is not seen by loads of which nothing is served', () => {
    const watched = watchRefill(60_000)
    for (const [at, admitted] of [
      [100, 60],
      [10_000, 0],
      [20_000, 0],
    ])
      watched.loaded(madeLedger(refusedBehind(at, admitted)).rows)
    expect(watched.isSeen()).toBe(false)
  })
})
