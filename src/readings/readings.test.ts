import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { witnessText } from '../kit/witness.js'
import { rateReadings } from './readings.js'

const read = (parts: readonly ExchangePart[], part: Parameters<typeof madeEvidence>[1] = {}) => [
  ...rateReadings(madeEvidence(parts, part)),
]

describe('the readings of a run', () => {
  it('are those of single exchanges, then those of loads', () => {
    const ledgers = [madeLedger([{ sentMs: 5 }, { sentMs: 6, status: null }, { sentMs: 7, status: 429 }])]
    const readings = read([{}, { status: 429 }], { ledgers })
    expect(readings.map(({ witness, status }) => [witnessText(witness), status])).toEqual([
      ['x1', 200],
      ['x2', 429],
      ['burst-free#0', 200],
      ['burst-free#2', 429],
    ])
    expect(readings[2]).toMatchObject({ key: 'free', sentAt: 5, receivedAt: 7 })
  })

  it.each<[string, ExchangePart, boolean]>([
    ['of an operation', { status: 404 }, true],
    ['of no operation', { operation: null }, false],
    ['of a gateway', { status: 502 }, false],
    ['with a status that no operation has', { status: 403 }, false],
    ['that did not come', { status: null }, false],
  ])('have an answer %s or not', (_name, part, has) => {
    expect(read([part])).toHaveLength(has ? 1 : 0)
  })

  it('name a key only where a valid one was accepted', () => {
    const keys = read([{}, { status: 401 }, { credential: 'none' }, { credential: 'basic' }]).map(({ key }) => key)
    expect(keys).toEqual(['free', null, null, null])
  })

  it('tell of a line of a ledger what it still knows: absent, no number, twice', () => {
    const [plain, odd] = read([], {
      ledgers: [
        madeLedger([
          { sentMs: 0, limit: 60, retryAfter: 5 },
          {
            sentMs: 1,
            limit: 60,
            reset: Number.POSITIVE_INFINITY,
            retryAfter: 1_000_000,
            flags: ['duplicateHeader', 'retryAfterIsDate'],
          },
        ]),
      ],
    })
    expect(plain.headers).toMatchObject({
      limit: { state: 'number', value: 60, text: '60', plain: true },
      remaining: { state: 'absent' },
      reset: { state: 'absent' },
    })
    expect(plain.retryAfter).toEqual({ form: 'seconds', seconds: 5 })
    expect(odd.headers.limit).toMatchObject({ value: 60, plain: false })
    expect(odd.headers.reset).toMatchObject({ state: 'malformed' })
    expect(odd.retryAfter).toEqual({ form: 'date', epochMs: 1_000_000_000 })
    const [unclear] = read([], { ledgers: [madeLedger([{ sentMs: 0, retryAfter: Number.POSITIVE_INFINITY }])] })
    expect(unclear.retryAfter).toMatchObject({ form: 'malformed', seconds: null })
  })
})
