import { describe, expect, it } from 'vitest'
import type { QuotaWindow } from '../contract/plans.js'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { keyHistory } from '../readings/key-history.js'
import { keyRecord } from '../readings/key-record.js'
import { dayReadings } from './judged-days.js'

const clock = { from: 0, to: 0, told: false }
const window: QuotaWindow = { limit: 60, windowMs: 60_000, longer: { limit: 100, windowMs: 86_400_000 } }

/** `a`: admitted, `m`: refused by the minute, `d`: refused by the day. */
const readingsOf = (story: string): string[] => {
  const rows = [...story].map(
    (each, i): MadeRow => ({
      sentMs: i * 100,
      ...(each === 'a' ? {} : { status: 429, retryAfter: each === 'm' ? 10 : 40_000 }),
    }),
  )
  const record = keyRecord(madeEvidence([], { ledgers: [madeLedger(rows)] }), 'free', clock)
  return dayReadings(record, keyHistory(record, window, clock, 'longer')).map(({ outcome }) =>
    [...outcome].map((each) => 'ar?x'[each]).join(''),
  )
}

describe('what the minute refuses', () => {
  it.each([
    ['counts in the day or does not: all of it, or none', 'aammaaad', ['aaxxaaar', 'aaaaaaar']],
    ['is open where only the day’s refusals came after it', 'aamaamdd', ['aaxaa?rr', 'aaaaa?rr']],
    ['is open once the day has refused', 'aamaadam', ['aaxaara?', 'aaaaara?']],
    ['makes one story where there is none of it', 'aaadd', ['aaarr']],
    ['makes one story where nothing was admitted', 'mmd', ['??r']],
  ])('%s', (_, story, readings) => {
    expect(readingsOf(story)).toEqual(readings)
  })
})
