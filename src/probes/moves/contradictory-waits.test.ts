import { describe, expect, it } from 'vitest'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { waitsMayContradict } from './contradictory-waits.js'

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
