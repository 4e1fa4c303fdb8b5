import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LedgerRow, type LedgerRows, ledgerFlags, ledgerRow } from '../evidence/ledger.js'
import { decodeLedger, encodeLedger } from '../evidence/ledger-file.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { offsetTrack } from './clocks.js'
import { type Chunk, chunkOf, createRowBook, createRowSender, rowsOnRunClock } from './rows.js'

const ended = (count: number): LedgerRows =>
  madeLedger(
    Array.from({ length: count }, (_, i) => ({
      sentMs: 100 * i,
      tookMs: 3,
      status: i % 3 === 0 ? 429 : 200,
      remaining: i,
    })),
  ).rows

/** What a row is before its answer has come. */
const begun = (row: LedgerRow): LedgerRow => ({
  ...row,
  receivedUs: Number.NaN,
  remaining: Number.NaN,
  status: 0,
})

const untold = (flags: number) => (flags & ledgerFlags.untold) !== 0

/** What a coordinator has of these chunks. */
const booked = (chunks: readonly Chunk[], most: number) => {
  const book = createRowBook(most)
  for (const each of chunks) book.take(each)
  return book
}

const sameClock = offsetTrack([{ atMs: 0, fromMs: 0, toMs: 0 }])
const placing = { track: sameClock, notBeforeUs: 0 }

describe('rows that go through chunks', () => {
  it('are the same, in whatever order and however often the chunks come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        fc.infiniteStream(fc.nat(1_000)),
        (count, flushes, order) => {
          const rows = ended(count)
          const sender = createRowSender(count)
          const chunks: Chunk[] = []
          for (let i = 0; i < count; i += 1) {
            sender.changed(begun(ledgerRow(rows, i)))
            if (flushes[i]) chunks.push(...sender.flush())
            if (i > 2) sender.changed(ledgerRow(rows, i - 3))
          }
          chunks.push(...sender.finish(rows))
          const shuffled = [...chunks, ...chunks]
            .map((each) => ({ each, place: order.next().value ?? 0 }))
            .sort((a, b) => a.place - b.place)
            .map(({ each }) => each)
          const book = booked(shuffled, count)
          expect(book.missing(sender.count())).toEqual([])
          const placed = rowsOnRunClock(book, { length: count, ...placing })
          expect(placed.untold).toBe(0)
          for (const name of ['sentUs', 'receivedUs', 'status', 'remaining', 'flags'] as const)
            expect([...placed.rows[name]]).toEqual([...rows[name]])
        },
      ),
    )
  })

  it('are refused where a byte has changed, or a row is beyond the share', () => {
    const chunk = chunkOf(0, [ledgerRow(ended(3), 2)])
    expect(createRowBook(3).take(chunk)).toBe(true)
    chunk.bytes[9] ^= 1
    expect(createRowBook(3).take(chunk)).toBe(false)
    expect(createRowBook(2).take(chunkOf(0, [ledgerRow(ended(3), 2)]))).toBe(false)
    expect(createRowBook(3).take({ number: 0, bytes: Buffer.alloc(7), crc: 0 })).toBe(false)
  })

  it('that are missing are named by their numbers', () => {
    const rows = ended(3)
    const chunks = [0, 1, 2].map((i) => chunkOf(i, [ledgerRow(rows, i)]))
    expect(booked([chunks[2]], 3).missing(3)).toEqual([0, 1])
  })
})

describe('rows of which nobody told', () => {
  const rows = ended(5)

  it('may have been sent at any time after the row before them, and make a ledger', () => {
    const book = booked([chunkOf(0, [ledgerRow(rows, 1), ledgerRow(rows, 3)])], 5)
    const placed = rowsOnRunClock(book, { length: 5, ...placing, notBeforeUs: -7 })
    expect([...placed.rows.sentUs]).toEqual([-7, 100_000, 100_000, 300_000, 300_000])
    expect([...placed.rows.status]).toEqual([0, 200, 0, 429, 0])
    expect([...placed.rows.flags].map(untold)).toEqual([true, false, true, false, true])
    expect(placed.untold).toBe(3)
    const { head } = madeLedger([])
    const counts = { planned: 5, sent: 5, answered: 2, errors: 0, timeouts: 0, lost: 3 }
    const ledger = { head: { ...head, counts }, rows: placed.rows }
    expect(decodeLedger(encodeLedger(ledger)).rows.length).toBe(5)
  })

  it('are also those that were told to be sent, and never how they ended', () => {
    const placed = rowsOnRunClock(booked([chunkOf(0, [begun(ledgerRow(rows, 0))])], 1), { length: 1, ...placing })
    expect([...placed.rows.flags].map(untold)).toEqual([true])
    expect(placed.rows.sentUs[0]).toBe(0)
  })

  it('are all of them where the agent’s clock was never read', () => {
    const book = booked([chunkOf(0, [ledgerRow(rows, 0)])], 1)
    const placed = rowsOnRunClock(book, { length: 1, track: undefined, notBeforeUs: 4 })
    expect([...placed.rows.sentUs]).toEqual([4])
    expect(placed.untold).toBe(1)
  })
})

it('times are put on the run’s clock, in order, with the error that holds for all of them', () => {
  const rows = ended(4)
  const book = booked(
    [
      chunkOf(
        0,
        [0, 1, 2, 3].map((i) => ledgerRow(rows, i)),
      ),
    ],
    4,
  )
  // Ahead by 10 ms, and from somewhere after 150 ms on by 10 ms less 250: a clock that jumped.
  const track = offsetTrack([
    { atMs: 150, fromMs: 10, toMs: 10 },
    { atMs: 250, fromMs: -240, toMs: -240 },
  ])
  const placed = rowsOnRunClock(book, { length: 4, track, notBeforeUs: Number.NEGATIVE_INFINITY })
  expect(placed.isClockKept).toBe(false)
  expect(placed.clockErrorMs).toBeGreaterThanOrEqual(125)
  const sent = [...placed.rows.sentUs]
  expect(sent).toEqual([...sent].sort((a, b) => a - b))
  for (let i = 0; i < 4; i += 1) expect(placed.rows.receivedUs[i]).toBeGreaterThanOrEqual(sent[i])
})
