import { describe, expect, it } from 'vitest'
import type { LedgerRows } from '../evidence/ledger.js'
import { askedStretches, worstStretches } from './load-figures.js'

/** Admitted requests as [sent, took], in milliseconds. */
const rowsOf = (requests: readonly (readonly [number, number])[]): LedgerRows => {
  const column = (read: (row: readonly [number, number]) => number) => Float64Array.from(requests, read)
  const none = column(() => Number.NaN)
  return {
    length: requests.length,
    plannedUs: none,
    sentUs: column(([sent]) => sent * 1000),
    receivedUs: column(([sent, took]) => (sent + took) * 1000),
    limit: none,
    remaining: none,
    reset: none,
    retryAfter: none,
    status: Uint16Array.from(requests, () => 200),
    connection: new Uint16Array(requests.length),
    flags: new Uint16Array(requests.length),
  }
}

const asked = [{ figure: 'latencyMs.admitted.max', everyMs: 1_000 }]

describe('the worst stretch of a load', () => {
  it('is the one in which the figure was highest, whatever the rest of the load was like', () => {
    const rows = rowsOf([
      [500, 5],
      [1_400, 6],
      [1_600, 80],
      [2_400, 7],
      [9_000, 8],
    ])
    expect(worstStretches(rows, asked)).toEqual([{ ...asked[0], startedAt: 1_600, value: 80 }])
  })

  it('begins with the first request, and leaves gaps out', () => {
    const figure = [{ figure: 'latencyMs.admitted.p50', everyMs: 1_000 }]
    const rows = rowsOf([
      [500, 10],
      [1_499, 30],
      [1_501, 20],
      [7_000, 21],
    ])
    expect(worstStretches(rows, figure)).toMatchObject([{ startedAt: 7_000 }])
  })

  it('is not there where the load was empty, or nothing had that outcome', () => {
    expect(worstStretches(rowsOf([]), asked)).toEqual([])
    expect(worstStretches(rowsOf([[0, 5]]), [{ figure: 'latencyMs.refused.max', everyMs: 1_000 }])).toEqual([])
    expect(worstStretches(rowsOf([[0, 5]]), [{ figure: 'latencyFromPlannedMs.admitted.max', everyMs: 1_000 }])).toEqual(
      [],
    )
  })
})

it('asks once for what several gates ask for', () => {
  const stretch = { most: 50, everyMs: 1_000 }
  const gates = { 'latencyMs.admitted.p99': stretch, lost: 0, plans: { pro: { 'latencyMs.admitted.p99': stretch } } }
  expect(askedStretches(gates)).toEqual([{ figure: 'latencyMs.admitted.p99', everyMs: 1_000 }])
})
