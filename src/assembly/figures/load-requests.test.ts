import { describe, expect, it } from 'vitest'
import { ledgerFlags } from '../../evidence/ledger.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { loadRequests } from './load-requests.js'

const rowsOf = (...ledgers: ReturnType<typeof madeLedger>[]) => [...loadRequests(madeEvidence([], { ledgers }))]

describe('the requests of loads', () => {
  it('are a row each, with times since the start and by the clock, the status and the limits as they were read', () => {
    const ledger = madeLedger(
      [
        { sentMs: 1_500.25, tookMs: 4.5, limit: 60, remaining: 59, reset: 1_795_000_006 },
        { sentMs: 1_501, status: 429, retryAfter: 1_795_000_000, flags: ['retryAfterIsDate', 'closedAfter'] },
      ],
      { phases: [{ name: 'steady', fromRow: 0, startUs: 0 }], operation: 'items', quota: 'core' },
    )
    expect(rowsOf(ledger)).toEqual([
      {
        ledger: 'burst-free',
        row: 0,
        probe: 'burst',
        key: 'free',
        operation: 'items',
        quota: 'core',
        phase: 'steady',
        sentAt: '2026-01-15T12:00:01.500250Z',
        plannedMs: null,
        sentMs: 1_500.25,
        receivedMs: 1_504.75,
        latencyMs: 4.5,
        status: 200,
        limit: 60,
        remaining: 59,
        reset: 1_795_000_006,
        retryAfter: null,
        connection: 0,
        flags: [],
      },
      expect.objectContaining({
        row: 1,
        sentAt: '2026-01-15T12:00:01.501000Z',
        status: 429,
        limit: null,
        retryAfter: 1_795_000_000,
        flags: ['retry-after-is-date', 'closed-after'],
      }),
    ])
  })

  it('have neither a status nor a time of receipt where no answer came, and say what came instead', () => {
    const [row] = rowsOf(madeLedger([{ sentMs: 0, status: null, flags: ['timedOut'] }]))
    expect(row).toMatchObject({ status: null, receivedMs: null, latencyMs: null, flags: ['timed-out'] })
  })

  it('tell a limit that is absent from one that can not be read', () => {
    const [absent, odd] = rowsOf(madeLedger([{ sentMs: 0 }, { sentMs: 1, limit: Number.POSITIVE_INFINITY }]))
    expect([absent?.limit, absent?.flags]).toEqual([null, []])
    expect([odd?.limit, odd?.flags]).toEqual([null, ['limit-unreadable']])
  })

  it('name the phase in which they were sent; none before the first one', () => {
    const ledger = madeLedger(
      [0, 1, 2, 3].map((sentMs) => ({ sentMs })),
      {
        phases: [
          { name: 'up', fromRow: 1, startUs: 0 },
          { name: 'empty', fromRow: 3, startUs: 0 },
          { name: 'down', fromRow: 3, startUs: 0 },
        ],
      },
    )
    expect(rowsOf(ledger).map(({ phase }) => phase)).toEqual([null, 'up', 'up', 'down'])
  })

  it('come load by load', () => {
    const second = madeLedger([{ sentMs: 5 }], { id: 'burst-pro', key: 'pro' })
    expect(rowsOf(madeLedger([{ sentMs: 0 }, { sentMs: 9 }]), second).map(({ ledger }) => ledger)).toEqual([
      'burst-free',
      'burst-free',
      'burst-pro',
    ])
  })

  it('have a word for every flag that a ledger may hold', () => {
    const names = Object.keys(ledgerFlags) as (keyof typeof ledgerFlags)[]
    const [row] = rowsOf(madeLedger([{ sentMs: 0, flags: names }]))
    expect(row?.flags).toHaveLength(names.length)
  })
})
