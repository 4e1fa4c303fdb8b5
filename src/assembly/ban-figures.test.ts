import { describe, expect, it } from 'vitest'
import { banCheck } from '../checks/throttle/ban.js'
import { compliantNotBanned } from '../checks/throttle/compliant-not-banned.js'
import { type EvidencePart, madeEvidence } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { judge } from '../run/judge.js'
import { banRows } from './client-figures.js'

const bans = (exchanges: readonly ExchangePart[], part: EvidencePart) => {
  const evidence = madeEvidence(exchanges, part)
  return banRows(evidence, judge(evidence, [banCheck, compliantNotBanned]).checks)
}

const refusals = [100, 110, 120].map((sentMs) => ({ sentMs, status: 429, retryAfter: 6 }))
const hammered = { probe: 'ban', key: 'free', id: 'ban-free' }

describe('the bans of a run', () => {
  it('are told with when they began, what they showed and how long they lasted', () => {
    const ledgers = [madeLedger([...refusals, { sentMs: 130, status: 403 }], hammered)]
    const asked: ExchangePart[] = [
      { probe: 'ban', step: 'banned', sentAt: 200, status: 403, headers: { 'Retry-After': '6' } },
      { probe: 'ban', step: 'asked-again', sentAt: 6_300 },
    ]
    expect(bans(asked, { ledgers })).toEqual([
      {
        ...{ plan: 'free', behaviour: 'hammering', startedAt: 132, status: 403, refusedBefore: 3 },
        ...{ headers: ['Retry-After'], lengthMs: 6_168, askedMeanwhile: 1 },
      },
    ])
  })

  it('say so where going on set none off', () => {
    const [row] = bans([], { ledgers: [madeLedger(refusals, hammered)] })
    expect(row).toMatchObject({ behaviour: 'hammering', startedAt: null, status: null, refusedBefore: 3 })
  })

  it('name the clients that obeyed and were banned all the same', () => {
    const rows = [{ sentMs: 100 }, { sentMs: 110, status: 403 }]
    const ledgers = [madeLedger(rows, { probe: 'compliant-clients', key: 'free', id: 'compliant-01-free' })]
    expect(bans([], { ledgers })).toMatchObject([{ behaviour: 'compliant', startedAt: 112, status: 403 }])
  })
})
