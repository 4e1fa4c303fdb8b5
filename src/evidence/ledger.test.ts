import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countRows, joinRows, type Ledger, LedgerWriter, ledgerColumns, ledgerFlags, ledgerRow } from './ledger.js'
import { decodeLedger, encodeLedger } from './ledger-file.js'

const head = {
  id: 'burst-free',
  probe: 'burst',
  key: 'free',
  phases: [{ name: 'burst', fromRow: 0, startUs: 0 }],
  samples: [],
  scheduleErrorMs: { p50: 0.1, p99: 0.5, max: 2 },
  stoodStillMs: 0,
  problem: null,
}

const ledgerOf = (exchanges: readonly { gap: number; took: number | null; status: number }[]): Ledger => {
  const writer = new LedgerWriter(4)
  let at = 0
  for (const { gap, took, status } of exchanges) {
    at += gap
    const row = writer.append(Number.NaN, at, 3)
    if (took === null) writer.columns.flags[row] = ledgerFlags.lost
    else {
      writer.columns.receivedUs[row] = at + took
      writer.columns.status[row] = status
      writer.columns.limit[row] = 60
    }
  }
  const rows = writer.rows()
  return { head: { ...head, counts: countRows(rows, exchanges.length + 1) }, rows }
}

const exchanges = fc.array(
  fc.record({
    gap: fc.double({ min: 0, max: 1e9, noNaN: true }),
    took: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })),
    status: fc.integer({ min: 100, max: 599 }),
  }),
)
const three = ledgerOf([
  { gap: 0, took: 900, status: 200 },
  { gap: 5.5, took: null, status: 0 },
  { gap: 1, took: 12, status: 429 },
])

test('a row takes at most 64 bytes', () => {
  const bytes = Object.values(ledgerColumns).reduce((sum, each) => sum + each.BYTES_PER_ELEMENT, 0)
  expect(bytes).toBeLessThanOrEqual(64)
})

test('a ledger comes back from its bytes as it was', () => {
  fc.assert(
    fc.property(exchanges, (each) => {
      const ledger = ledgerOf(each)
      expect(decodeLedger(encodeLedger(ledger))).toEqual(ledger)
    }),
  )
})

/** The same file as version 1 has it: one byte for the flags of a row, in the last column. */
const asVersion1 = (bytes: Uint8Array, rows: number): Uint8Array => {
  const flagsAt = bytes.length - Math.ceil((rows * 2) / 8) * 8
  const flags = new Uint16Array(bytes.slice(flagsAt).buffer, 0, rows)
  const old = new Uint8Array(flagsAt + Math.ceil(rows / 8) * 8)
  old.set(bytes.subarray(0, flagsAt))
  old.set(flags, flagsAt)
  old[8] = 1
  return old
}

test('a file of version 1 is read as it was', () => {
  fc.assert(
    fc.property(exchanges, (each) => {
      const ledger = ledgerOf(each)
      expect(decodeLedger(asVersion1(encodeLedger(ledger), each.length))).toEqual(ledger)
    }),
  )
})

test('the flags that rules set come back', () => {
  const ledger = ledgerOf([{ gap: 0, took: 1, status: 200 }])
  ledger.rows.flags[0] = ledgerFlags.bannedByRule | ledgerFlags.resetFromNow
  expect(decodeLedger(encodeLedger(ledger)).rows.flags[0]).toBe(256 + 1024)
})

test('columns are views on the bytes, not copies', () => {
  const bytes = encodeLedger(three)
  expect(decodeLedger(bytes).rows.sentUs.buffer).toBe(bytes.buffer)
})

test('bytes at an odd address are read all the same', () => {
  const bytes = encodeLedger(three)
  const shifted = new Uint8Array(bytes.length + 1)
  shifted.set(bytes, 1)
  expect(decodeLedger(shifted.subarray(1))).toEqual(three)
})

test('a writer grows beyond what it was made for and keeps what it has', () => {
  const writer = new LedgerWriter(1)
  for (let row = 0; row < 1000; row++) writer.append(row, row, row % 7)
  const rows = writer.rows()
  expect(rows.length).toBe(1000)
  expect(ledgerRow(rows, 999)).toMatchObject({ index: 999, plannedUs: 999, sentUs: 999, connection: 5, status: 0 })
  expect(rows.receivedUs.every(Number.isNaN)).toBe(true)
})

test('rows are counted by what became of them', () => {
  expect(countRows(three.rows, 5)).toEqual({ planned: 5, sent: 3, answered: 2, errors: 0, timeouts: 0, lost: 1 })
})

test('joined rows are in order of sending, wherever they came from', () => {
  fc.assert(
    fc.property(exchanges, exchanges, (a, b) => {
      const parts = [ledgerOf(a).rows, ledgerOf(b).rows]
      const joined = joinRows(parts)
      const sent = parts.flatMap((part) => [...part.sentUs]).sort((x, y) => x - y)
      expect([...joined.sentUs]).toEqual(sent)
      expect(countRows(joined, 0).answered).toBe(countRows(parts[0], 0).answered + countRows(parts[1], 0).answered)
    }),
  )
})

test.each<[string, (bytes: Uint8Array) => Uint8Array | undefined, RegExp]>([
  ['nothing', () => new Uint8Array(), /0 bytes/],
  ['other bytes', () => new Uint8Array(100), /does not begin/],
  ['another version', (bytes) => bytes.fill(9, 8, 9), /version 9, and quotaspec reads versions 1 and 2/],
  ['a huge head', (bytes) => bytes.fill(255, 12, 16), /head of 4294967295 bytes/],
  ['a huge count', (bytes) => bytes.fill(255, 16, 20), /4294967295 rows/],
  ['a part of it', (bytes) => bytes.slice(0, -8), /an incomplete ledger/],
  ['more than it', (bytes) => new Uint8Array([...bytes, 0]), /an incomplete ledger/],
  ['a head that is no JSON', (bytes) => bytes.fill(0x78, 24, 25), /not JSON/],
])('%s is refused, and the error says why', (_, change, message) => {
  expect(() => decodeLedger(change(encodeLedger(three)) ?? new Uint8Array())).toThrow(message)
})

const changed = (edit: (ledger: Ledger) => Ledger | undefined): Uint8Array => {
  const copy = decodeLedger(encodeLedger(three))
  return encodeLedger(edit(copy) ?? copy)
}

test.each<[string, (ledger: Ledger) => Ledger | undefined, RegExp]>([
  ['rows out of order', ({ rows }) => void rows.sentUs.reverse(), /row 1 was sent before/],
  ['a row never sent', ({ rows }) => void rows.sentUs.fill(Number.NaN, 0, 1), /row 0 has no sending time/],
  [
    'an answer before its request',
    ({ rows }) => void rows.receivedUs.fill(-1, 0, 1),
    /row 0 has a status that contradicts its times/,
  ],
  [
    'a status without an answer',
    ({ rows }) => void rows.status.fill(200),
    /row 1 has a status that contradicts its times/,
  ],
  ['counts that the rows deny', ({ rows }) => void rows.flags.fill(0), /counts/],
  ['a head without a name', ({ head: { id, ...rest }, rows }) => ({ head: rest as never, rows }), /head at id/],
])('%s make no ledger', (_, edit, message) => {
  expect(() => decodeLedger(changed(edit))).toThrow(message)
})

test('no byte changed at random makes anything but a ledger or an Error with a sentence', () => {
  const bytes = encodeLedger(three)
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
      const broken = bytes.slice()
      broken[at] = value
      try {
        decodeLedger(broken)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect((error as Error).message).toMatch(/ledger/)
      }
    }),
  )
})
