import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LedgerWriter } from '../../evidence/ledger.js'
import { latencyFromPlanned, latencyFromSent, percentilesMs, scheduleErrorMs } from './latency.js'

const rowsOf = (each: readonly (readonly [planned: number, sent: number, received: number, status: number])[]) => {
  const ledger = new LedgerWriter(each.length)
  for (const [planned, sent, received, status] of each) {
    const row = ledger.append(planned, sent, 0)
    ledger.columns.receivedUs[row] = received
    ledger.columns.status[row] = status
  }
  return ledger.rows()
}

test('microseconds are told apart', () => {
  expect(percentilesMs([120, 121, 950])).toEqual({ count: 3, p50: 0.121, p90: 0.95, p99: 0.95, max: 0.95 })
})

test('percentiles are those of the sorted values, to a thousandth', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 86_400_000_000 }), { minLength: 1 }), (us) => {
      const sorted = us.toSorted((a, b) => a - b)
      const found = percentilesMs(us)
      const nearest = (share: number) => sorted[Math.ceil(share * us.length) - 1] / 1000
      for (const [value, share] of [
        [found?.p50, 0.5],
        [found?.p90, 0.9],
        [found?.p99, 0.99],
      ] as const) {
        expect(Math.abs((value ?? 0) - nearest(share))).toBeLessThanOrEqual(nearest(share) * 0.001 + 0.001)
      }
      expect(found?.max).toBe(sorted[us.length - 1] / 1000)
    }),
  )
})

test('outcomes are kept apart, and what was not answered or neither of them is in none', () => {
  const rows = rowsOf([
    [Number.NaN, 0, 1000, 200],
    [Number.NaN, 10, 2010, 429],
    [Number.NaN, 20, 3020, 403],
    [Number.NaN, 30, 9030, 500],
    [Number.NaN, 40, Number.NaN, 0],
  ])
  expect(latencyFromSent(rows)).toEqual({
    admitted: { count: 1, p50: 1, p90: 1, p99: 1, max: 1 },
    refused: { count: 2, p50: 2, p90: 3, p99: 3, max: 3 },
  })
  expect(latencyFromPlanned(rows)).toEqual({ admitted: null, refused: null })
  expect(scheduleErrorMs(rows)).toBeNull()
})

test('a target that stalls is slow from the plan, once for each request that had to wait, and never more', () => {
  const rows = rowsOf(Array.from({ length: 500 }, (_, n) => [n * 1000, n * 50_000, (n + 1) * 50_000, 200]))
  expect(latencyFromSent(rows).admitted).toMatchObject({ count: 500, max: 50 })
  expect(latencyFromPlanned(rows).admitted).toMatchObject({ count: 500, max: 24_501 })
  expect(scheduleErrorMs(rows)).toMatchObject({ max: 24_451 })
})
