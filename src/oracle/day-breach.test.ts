import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { keyHistory } from '../readings/key-history.js'
import { keyRecord } from '../readings/key-record.js'
import { dayBreach } from './judged-days.js'
import { besideDay, clock, refusals, rows } from './testing/stated-days.js'

const breachIn = (made: readonly MadeRow[]) => {
  const record = keyRecord(madeEvidence([], { ledgers: [madeLedger(made)] }), 'free', clock)
  return dayBreach(
    { record, window: besideDay, clock, judgement: null },
    keyHistory(record, besideDay, clock, 'longer'),
  )
}

describe('a count that is held against the day that a target states', () => {
  it.each<[string, MadeRow[], string | undefined, number | undefined]>([
    [
      'holds at the limit, whatever was used before',
      [...rows(10, 0, 5_000), ...refusals(2, 11_000, 5_000)],
      undefined,
      undefined,
    ],
    ['is broken by one too many', [...rows(11, 0, 5_000), ...refusals(2, 12_000, 5_000)], 'over-admission', 11],
    ['is broken where nothing is ever refused', rows(11, 0, 5_000), 'over-admission', 11],
    [
      'counts what shows the minute in between',
      [...rows(6, 0, 5_000), ...rows(5, 6_000, 9, { limit: 60 }), ...refusals(1, 12_000, 5_000)],
      'over-admission',
      11,
    ],
    [
      'counts it where the day shows once it refuses',
      [...rows(11, 0, 9, { limit: 60 }), ...refusals(2, 12_000, 5_000)],
      'over-admission',
      11,
    ],
    [
      'leaves out what came before the window began',
      [...rows(6, 0, 9, { limit: 60 }), ...rows(5, 10_000, 8_649), ...refusals(2, 16_000, 8_649)],
      'early-refusal',
      5,
    ],
    [
      'excuses an early refusal by what was used before the run',
      [...rows(3, 0, 5_000), ...refusals(2, 4_000, 5_000)],
      undefined,
      undefined,
    ],
    [
      'does not excuse one in a day that began in the run',
      [...rows(2, 0, 13), ...rows(9, 15_000, 8_653), ...refusals(2, 25_000, 8_653)],
      'early-refusal',
      9,
    ],
    [
      'takes the limit in such a day',
      [...rows(2, 0, 13), ...rows(10, 15_000, 8_653), ...refusals(2, 26_000, 8_653)],
      undefined,
      undefined,
    ],
    ['says nothing where the statements disagree', rows(11, 0, (i) => 5_000 + 3 * i), undefined, undefined],
  ])('%s', (_, made, reason, counted) => {
    const breach = breachIn(made)
    expect([breach?.reason, breach?.counted]).toEqual([reason, counted])
    if (breach) expect(breach.witnesses.length).toBeGreaterThan(0)
  })
})
