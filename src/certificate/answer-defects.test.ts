import { describe, expect, it } from 'vitest'
import { type EvidencePart, madeEvidence, wallStartMs } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../evidence/testing/made-ledger.js'
import { judgedKeys } from '../oracle/judged-keys.js'
import { toldByAnswers } from './answer-defects.js'

const told = (exchanges: readonly ExchangePart[], part: EvidencePart = {}) => {
  const byKey = toldByAnswers(judgedKeys(madeEvidence(exchanges, part)))
  const all = [...byKey.values()].flat()
  const idsOf = (isMeant: boolean) =>
    all.flatMap(({ defect, isExcluded }) => (isExcluded === isMeant ? [defect.id] : [])).sort()
  return { excluded: idsOf(true), open: idsOf(false) }
}

const refused = (sentAt: number, wait: number): ExchangePart => ({
  sentAt,
  status: 429,
  headers: { 'Retry-After': String(wait) },
})

describe('a Retry-After that is too short', () => {
  it('is contradicted where a request is admitted while it still lasts', () => {
    expect(told([refused(0, 30), { sentAt: 29_050 }]).excluded).toEqual(['wait-0.3s', 'wait-1s', 'wait-half'])
  })

  it('would have brought a client back too early, where it came when it was told', () => {
    const { excluded, open } = told([refused(0, 30), { sentAt: 30_010 }])
    expect([excluded, open]).toEqual([['wait-1s', 'wait-half'], ['wait-0.3s']])
  })

  it('could hide where nobody came before long', () => {
    expect(told([refused(0, 30), { sentAt: 70_000 }]).open).toEqual(['wait-0.3s', 'wait-1s', 'wait-half'])
  })

  it('is no defect where a half is as long in whole seconds, or nothing is named', () => {
    expect(told([refused(0, 3), { sentAt: 2_050 }]).excluded).toEqual(['wait-0.3s', 'wait-1s'])
    expect(told([refused(0, 0), { sentAt: 10 }])).toEqual({ excluded: [], open: [] })
  })
})

const shown = (sentMs: number, left: number, part: Partial<MadeRow> = {}): MadeRow => ({
  sentMs,
  tookMs: 5,
  limit: 60,
  remaining: left,
  reset: wallStartMs / 1000 + 60,
  ...part,
})

/** A window that is spent, refused to its end, and followed by one that is spent as fast: no counter weighs the first. */
const spent = (requests: number): MadeRow[] => [
  ...Array.from({ length: requests }, (_, i) => shown(100 + 10 * i, 59 - i)),
  ...Array.from({ length: 190 }, (_, i) => shown(3_000 + 300 * i, 0, { status: 429 })),
  ...Array.from({ length: requests }, (_, i) => shown(60_150 + 10 * i, 59 - i, { reset: wallStartMs / 1000 + 120 })),
]

describe('a Remaining that is wrong', () => {
  it('is told where a window is spent to its end', () => {
    const { excluded } = told([], { ledgers: [madeLedger(spent(60))] })
    expect(excluded.filter((id) => id.startsWith('remaining'))).toEqual([
      'remaining+1',
      'remaining+1-near-0',
      'remaining-1',
      'remaining-1-near-0',
      'remaining-frozen',
      'remaining-of-another',
    ])
  })
})
