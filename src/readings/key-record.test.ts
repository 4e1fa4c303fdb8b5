import { describe, expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { witnessText } from '../kit/witness.js'
import { keyRecord } from './key-record.js'

const clock = { from: 1_000_000_000, to: 1_000_000_500, told: true }
const recordOf = (parts: readonly ExchangePart[], ledgers: Parameters<typeof madeEvidence>[1] = {}) =>
  keyRecord(madeEvidence(parts, ledgers), 'free', clock)
const rate = (limit: number, remaining: number, reset: number) => ({
  'X-RateLimit-Limit': `${limit}`,
  'X-RateLimit-Remaining': `${remaining}`,
  'X-RateLimit-Reset': `${reset}`,
})

describe('the record of a key', () => {
  it('holds single exchanges and the lines of its loads, in order of sending', () => {
    const ledgers = [
      madeLedger([{ sentMs: 150, status: 429 }, { sentMs: 250 }]),
      madeLedger([{ sentMs: 50 }], { id: 'half-free' }),
      madeLedger([{ sentMs: 10 }], { id: 'burst-pro', key: 'pro' }),
    ]
    const record = recordOf([{}, {}, { key: 'pro' }, {}], { ledgers })
    const witnesses = Array.from({ length: record.size }, (_, i) => witnessText(record.witness(i)))
    expect(witnesses).toEqual(['x1', 'half-free#0', 'x2', 'burst-free#0', 'burst-free#1', 'x4'])
    expect([...record.sentMs]).toEqual([0, 50, 100, 150, 250, 300])
    expect([...record.status]).toEqual([200, 200, 200, 429, 200, 200])
    expect([...record.receivedMs]).toEqual([2, 52, 102, 152, 252, 302])
  })

  it('has the times of what another machine sent wider by the error of its clock, and its place among the others by that', () => {
    const origin = { agent: 'eu-1', group: 'eu', target: 'http://t/v1', clockErrorMs: 60, isClockKept: true }
    const rows = [{ sentMs: 150, status: 429, retryAfter: 7 }, { sentMs: 250 }]
    const record = recordOf([{}, {}, {}], { ledgers: [madeLedger(rows, { origin })] })
    expect([...record.sentMs]).toEqual([0, 90, 100, 190, 200])
    expect([...record.receivedMs]).toEqual([2, 212, 102, 312, 202])
    expect(record.waitMs[1]).toBe(7_000)
  })

  it('holds what the headers said, and NaN where they said nothing', () => {
    const ledgers = [
      madeLedger([
        { sentMs: 50, limit: 60, remaining: 58, reset: 1_000_060 },
        { sentMs: 60, limit: Number.POSITIVE_INFINITY },
      ]),
    ]
    const record = recordOf([{ headers: rate(60, 59, 1_000_060) }, { status: null }], { ledgers })
    expect([...record.limit]).toEqual([60, 60, Number.NaN, Number.NaN])
    expect([...record.remaining]).toEqual([59, 58, Number.NaN, Number.NaN])
    expect([...record.reset]).toEqual([1_000_060, 1_000_060, Number.NaN, Number.NaN])
    expect([record.status[3], record.receivedMs[3]]).toEqual([0, Number.NaN])
  })

  it.each<[string, ExchangePart, boolean]>([
    ['without a credential', { credential: 'none' }, false],
    ['with part of the key only', { credential: 'key-cut-by-one' }, false],
    ['with more than the key', { credential: 'key-extended' }, false],
    ['with an unknown key', { credential: 'unknown-key' }, false],
    ['with an empty one', { credential: 'empty-bearer' }, false],
    ['that never left', { status: null, error: { phase: 'connect', code: 'ECONNREFUSED', message: '' } }, false],
    ['of another key', { key: 'pro' }, false],
    ['that was lost on its way', { status: null }, true],
    ['with the bare key', { credential: 'bare-key' }, true],
    ['with the key in the query', { credential: 'query-api-key' }, true],
    ['that was answered 401', { status: 401 }, true],
  ])('has an exchange %s or has it not', (_name, part, has) => {
    expect(recordOf([part]).size).toBe(has ? 1 : 0)
  })

  it.each<[string, ExchangePart, number]>([
    ['the plain reading of the list', {}, 1],
    ['a change', { operation: 'updateInventory' }, 0],
    ['the list with a query', { path: '/inventory?x=1' }, 0],
    ['another spelling', { intent: { spelling: 'a trailing slash' } }, 0],
    ['another form of the credential', { credential: 'lower-case-scheme' }, 0],
    ['no operation', { operation: null }, 0],
    ['what was asked to be banned', { probe: 'ban' }, 0],
  ])('takes %s for ordinary or not', (_name, part, ordinary) => {
    expect([...recordOf([part]).ordinary]).toEqual([ordinary])
  })

  it('takes the lines of a load for ordinary, but for those that were to bring about a ban', () => {
    const ordinary = (probe: string) => [
      ...recordOf([], { ledgers: [madeLedger([{ sentMs: 1 }], { probe })] }).ordinary,
    ]
    expect([ordinary('burst'), ordinary('ban')]).toEqual([[1], [0]])
  })

  it('turns every form of Retry-After into a wait from receipt', () => {
    const wait = (value: string) =>
      recordOf([{ status: 429, sentAt: 100, tookMs: 50, headers: { 'Retry-After': value } }]).waitMs[0]
    expect([wait('2'), wait('1.5'), wait('soon')]).toEqual([2_000, 1_500, Number.NaN])
    // Of a date, the latest moment that it can mean.
    expect(wait(new Date(clock.from + 5_000).toUTCString())).toBe(4_850)
    const rows = [
      { sentMs: 100, tookMs: 50, status: 429, retryAfter: 2 },
      {
        sentMs: 101,
        tookMs: 49,
        status: 429,
        retryAfter: (clock.from + 5_000) / 1000,
        flags: ['retryAfterIsDate'] as const,
      },
      { sentMs: 102, status: 429, retryAfter: Number.POSITIVE_INFINITY },
      { sentMs: 103, status: 429 },
    ]
    const { waitMs } = recordOf([], { ledgers: [madeLedger(rows)] })
    expect([...waitMs]).toEqual([2_000, 4_850, Number.NaN, Number.NaN])
  })
})
