import { describe, expect, it } from 'vitest'
import type { QuotaWindow } from '../contract/plans.js'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { besideDay, clock, epoch, refusals, rows } from '../oracle/testing/stated-days.js'
import { keyRecord } from './key-record.js'
import { statedWindows } from './stated-window.js'

const told = (made: readonly MadeRow[], window: QuotaWindow = besideDay) => {
  const record = keyRecord(madeEvidence([], { ledgers: [madeLedger(made)] }), 'free', clock)
  return { stated: statedWindows(record, window, clock) }
}

const agreeing = [...rows(8, 0, 5_000), ...refusals(3, 9_000, 5_000)]

describe('the window that a target states', () => {
  it('is known by its end, and began a length before it', () => {
    const { stated } = told(agreeing)
    expect(stated).toHaveLength(1)
    expect(stated[0].resets).toHaveLength(11)
    expect(stated[0].endsMs.from).toBeLessThanOrEqual(5_000_000)
    expect(stated[0].endsMs.to).toBeGreaterThanOrEqual(5_000_000)
    expect(stated[0].beganMs.to).toBeCloseTo(stated[0].endsMs.to - 8_640_000)
  })

  it.each<[string, MadeRow[], number]>([
    ['a Reset that is rounded both ways', rows(8, 0, (i) => 5_000 + (i % 2)), 1],
    ['a day and the next one', [...rows(3, 0, 5), ...rows(3, 7_000, 8_645)], 2],
    ['a Reset that moves with each request, as a bucket or a log has it', rows(8, 0, (i) => 5_000 + 3 * i), 0],
    [
      'a wait that leads elsewhere',
      [...agreeing, ...refusals(1, 20_000, 900).map((r) => ({ ...r, reset: epoch + 5_000 }))],
      0,
    ],
    ['a Reset further ahead than a window is long', rows(3, 0, 9_000), 0],
    ['a Reset that was past when it was named', rows(3, 60_000, 20), 0],
    ['no Reset', rows(3, 0, 5_000, { reset: undefined }), 0],
    ['the other window', rows(3, 0, 5, { limit: 60 }), 0],
  ])('of %s', (_, made, windows) => {
    expect(told(made).stated).toHaveLength(windows)
  })

  it('is none where both windows have one limit, for nothing tells which is shown', () => {
    expect(told(agreeing, { ...besideDay, limit: 10 }).stated).toEqual([])
  })

  it('may be an hour shorter where a calendar ends a day on earth', () => {
    const whole = { limit: 60, windowMs: 60_000, longer: { limit: 10, windowMs: 86_400_000 } }
    const [atMidnight] = told(rows(3, 0, 44_000 - (epoch % 900)), whole).stated
    const [elsewhere] = told(rows(3, 0, 44_001 - (epoch % 900)), whole).stated
    const width = ({ beganMs }: typeof atMidnight) => beganMs.to - beganMs.from
    expect((epoch + 44_000 - (epoch % 900)) % 900).toBe(800)
    expect(width(atMidnight)).toBeCloseTo(width(elsewhere))
    const [quarter] = told(rows(3, 0, 44_100 - (epoch % 900)), whole).stated
    expect(width(quarter)).toBeCloseTo(width(elsewhere) + 7_200_000)
  })
})
