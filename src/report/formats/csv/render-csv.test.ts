import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LoadRequest } from './load-request.js'
import { renderCsv } from './render-csv.js'

const request: LoadRequest = {
  ledger: 'burst-free',
  row: 61,
  probe: 'burst',
  key: 'free',
  operation: null,
  quota: null,
  phase: 'load',
  sentAt: '2026-11-21T10:00:01.234567Z',
  plannedMs: 1_234.5,
  sentMs: 1_234.567_4,
  receivedMs: 1_240,
  latencyMs: 5.432_6,
  status: 429,
  limit: 60,
  remaining: -1,
  reset: 1_795_000_006,
  retryAfter: null,
  connection: 3,
  flags: ['closed-after', 'retry-after-unreadable'],
}

const read = (requests: readonly LoadRequest[]): Record<string, string>[] =>
  parse([...renderCsv(requests)].join(''), { columns: true, record_delimiter: '\r\n' })

describe('CSV, read by csv-parse', () => {
  it('has a line for each request, with its times, its status and its limits as they were read', () => {
    expect(read([request])).toEqual([
      {
        ledger: 'burst-free',
        row: '61',
        probe: 'burst',
        key: 'free',
        operation: '',
        quota: '',
        phase: 'load',
        sent_at: '2026-11-21T10:00:01.234567Z',
        planned_ms: '1234.5',
        sent_ms: '1234.567',
        received_ms: '1240',
        latency_ms: '5.433',
        status: '429',
        limit: '60',
        remaining: '-1',
        reset: '1795000006',
        retry_after: '',
        connection: '3',
        flags: 'closed-after retry-after-unreadable',
      },
    ])
  })

  it('has the names of its columns alone where there is no request', () => {
    const [line] = [...renderCsv([])]
    expect(line).toMatch(/^ledger,row,[a-z_,]+,flags\r\n$/)
    expect(read([])).toEqual([])
  })

  it('comes in pieces that are whole lines, and loses no row between them', () => {
    const requests = Array.from({ length: 4_001 }, (_, row) => ({ ...request, row }))
    const pieces = [...renderCsv(requests)]
    expect(pieces).toHaveLength(3)
    for (const piece of pieces) expect(piece.endsWith('\r\n')).toBe(true)
    const [line] = read([request])
    expect(read(requests)).toEqual(requests.map(({ row }) => ({ ...line, row: String(row) })))
  })

  it.each([
    ['=cmd|calc', "'=cmd|calc"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['\t=1', '␉=1'],
    ['\r=1', '␍=1'],
    ['a,"b";c', 'a,"b";c'],
    ['a-b=c', 'a-b=c'],
  ])('holds the text %j as %j', (given, held) => {
    expect(read([{ ...request, key: given }])[0]?.key).toBe(held)
  })

  it('never holds a formula, an unseen character or a row that was not there, whatever a name holds', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '"', ',', '\r', '\n', '\t', ' ', 'x') }),
    )
    fc.assert(
      fc.property(text, text, (ledger, key) => {
        const rows = read([{ ...request, ledger, key }, request])
        expect(rows).toHaveLength(2)
        for (const value of [rows[0]?.ledger, rows[0]?.key]) {
          expect(value?.trim()).not.toMatch(/^[=+\-@]/)
          expect(value).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
        }
        expect(rows[0]?.status).toBe('429')
      }),
    )
  })
})
