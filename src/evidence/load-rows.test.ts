import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countRows, ledgerFlags, ledgerRow } from './ledger.js'
import { ledgersOfRows, loadRow, loadRowRecord } from './load-rows.js'
import { madeLedger } from './testing/made-ledger.js'

const of = { ledger: 'daily-free', probe: 'daily', key: 'free' }

/** Three rows: served, refused with what is no number, and unanswered. */
const ledger = madeLedger(
  [
    { sentMs: 1, remaining: 59 },
    { sentMs: 2, status: 429, reset: Number.POSITIVE_INFINITY },
    { sentMs: 3, status: null },
  ],
  { id: of.ledger, probe: of.probe },
)
const records = [0, 1, 2].map((row) => loadRowRecord(of, ledgerRow(ledger.rows, row)))

describe('the rows of a load that came to no ledger', () => {
  it('give the ledger that it would have had, what was unanswered as lost', () => {
    const onDisk = records.map((each) => loadRow.parse(JSON.parse(JSON.stringify(each))))
    const { ledgers, unreadable } = ledgersOfRows(onDisk, [])
    expect(unreadable).toEqual([])
    const [{ head, rows }] = ledgers
    expect(head).toMatchObject({ id: of.ledger, probe: of.probe, key: of.key, counts: countRows(rows, 3) })
    expect(head.counts).toMatchObject({ sent: 3, answered: 2, lost: 1 })
    for (const name of ['sentUs', 'receivedUs', 'remaining', 'reset', 'status'] as const)
      expect([...rows[name]]).toEqual([...ledger.rows[name]])
    expect(rows.flags[2] & ledgerFlags.lost).toBe(ledgerFlags.lost)
  })

  it('are told twice at most, and the last word holds', () => {
    const first = { ...records[0], status: 0, cells: records[0].cells.map((each, at) => (at === 1 ? each : null)) }
    expect(ledgersOfRows([first, ...records], []).ledgers[0].head.counts.answered).toBe(2)
  })

  it('are not needed where the ledger is whole, and not trusted where one is missing', () => {
    expect(ledgersOfRows(records, [ledger])).toEqual({ ledgers: [], unreadable: [] })
    const { ledgers, unreadable } = ledgersOfRows([records[0], records[2]], [])
    expect(ledgers).toEqual([])
    expect(unreadable).toEqual(['the rows of daily-free: row 1 of the load daily-free is missing'])
  })

  it('from elsewhere are refused or read, and never fill the memory', () => {
    const cell = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null), fc.constant('odd'))
    const made = fc.record({
      type: fc.constant('row' as const),
      ledger: fc.constantFrom('a', 'b'),
      probe: fc.string(),
      key: fc.string(),
      row: fc.oneof(fc.nat(4), fc.nat()),
      cells: fc.array(cell, { minLength: 7, maxLength: 7 }),
      status: fc.nat(65_535),
      connection: fc.nat(65_535),
      flags: fc.nat(65_535),
    })
    fc.assert(
      fc.property(fc.array(made, { maxLength: 8 }), (rows) => {
        const parsed = rows.map((each) => loadRow.parse(each))
        const { ledgers, unreadable } = ledgersOfRows(parsed, [])
        expect(ledgers.length + unreadable.length).toBe(new Set(rows.map((each) => each.ledger)).size)
      }),
    )
  })
})
