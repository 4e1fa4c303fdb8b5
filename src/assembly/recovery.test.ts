import { describe, expect, it } from 'vitest'
import { outcomes } from '../readings/history.js'
import { latenessMs } from './quota-figures.js'

type Row = readonly [sentMs: number, outcome: keyof typeof outcomes, waitMs?: number, tookMs?: number]

const lateness = (rows: readonly Row[]) => {
  const column = (read: (row: Row) => number) => Float64Array.from(rows, read)
  return latenessMs(
    {
      sentMs: column(([sent]) => sent),
      receivedMs: column(([sent, outcome, , took = 10]) => (outcome === 'unknown' ? Number.NaN : sent + took)),
      waitMs: column(([, , wait]) => wait ?? Number.NaN),
    },
    { size: rows.length, outcome: Uint8Array.from(rows, ([, outcome]) => outcomes[outcome]) },
  )
}

describe('how late a target is', () => {
  it.each<[string, readonly Row[], number | null]>([
    [
      'is not known where nobody asked at the named moment',
      [
        [0, 'refused', 2_000],
        [900, 'refused', 1_100],
      ],
      null,
    ],
    [
      'is nothing where whoever asked then was admitted',
      [
        [0, 'refused', 2_000],
        [2_020, 'admitted'],
      ],
      0,
    ],
    [
      'is nothing where the client only asked late',
      [
        [0, 'refused', 2_000],
        [9_000, 'admitted'],
      ],
      0,
    ],
    [
      'is the time for which it went on refusing',
      [
        [0, 'refused', 1_000],
        [1_020, 'refused', 1_000],
        [2_510, 'refused'],
        [3_000, 'admitted'],
      ],
      1_500,
    ],
    [
      'counts from the earliest moment that was named',
      [
        [0, 'refused', 5_000],
        [100, 'refused', 1_000],
        [2_110, 'refused'],
      ],
      1_000,
    ],
    [
      'is nothing where others had spent it in between',
      [
        [0, 'refused', 1_000],
        [1_020, 'admitted'],
        [1_040, 'refused', 1_000],
      ],
      0,
    ],
    [
      'is not known where somebody may have spent it in between',
      [
        [0, 'refused', 1_000],
        [500, 'unknown'],
        [1_040, 'refused', 1_000],
      ],
      null,
    ],
    [
      'does not trust a refusal that an admission under way may have caused',
      [
        [0, 'admitted', undefined, 800],
        [10, 'refused', 100],
        [300, 'refused'],
      ],
      null,
    ],
    [
      'ignores refusals for a reason outside the window',
      [
        [0, 'refused', 1_000],
        [1_040, 'excused', 1_000],
      ],
      null,
    ],
  ])('%s', (_, rows, late) => {
    expect(lateness(rows)).toBe(late)
  })
})
