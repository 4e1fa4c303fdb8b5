import { describe, expect, it } from 'vitest'
import { historyOf } from '../testing/made-history.js'
import { diagnoseDay } from './common-diagnosis.js'

const spent = (admitted: number, refused: number) =>
  historyOf(
    Array.from({ length: admitted + refused }, (_, i) => ({
      sentMs: i * 50,
      receivedMs: i * 50 + 2,
      outcome: i < admitted ? 'admitted' : 'refused',
    })),
  )

/** Admitted, refused by the minute, admitted again, refused by the day. */
const spentInParts = (...counts: readonly number[]) =>
  historyOf(
    counts.flatMap((count, part) =>
      Array.from({ length: count }, (_, i) => ({
        sentMs: part * 100_000 + i * 50,
        receivedMs: part * 100_000 + i * 50 + 2,
        outcome: (['admitted', 'unknown', 'admitted', 'refused'] as const)[part],
      })),
    ),
  )

describe('a day that is wrong looks like', () => {
  it('requests that count twice, where they do once the minute has refused one', () => {
    const day = { limit: 1_000, windowMs: 86_400_000 }
    expect(diagnoseDay(spentInParts(60, 3, 470, 20), day).id).toBe('requests-count-twice')
    expect(diagnoseDay(spentInParts(60, 3, 640, 20), day).id).toBe('other-limit')
  })

  it.each([
    ['no limit at all, where nothing was refused', 2_020, 0, 'no-limit'],
    ['one too few', 999, 20, 'limit-lower-by-one'],
    ['one too many', 1_001, 20, 'limit-higher-by-one'],
    ['two nodes that each count alone', 2_000, 20, 'nodes-count-alone'],
    ['another limit', 700, 20, 'other-limit'],
  ])('%s', (_, admitted, refused, id) => {
    expect(diagnoseDay(spent(admitted, refused), { limit: 1_000, windowMs: 86_400_000 }).id).toBe(id)
  })
})
