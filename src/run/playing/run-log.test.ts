import { expect, it } from 'vitest'
import type { JournalRecord } from '../../evidence/journal.js'
import type { Ledger } from '../../evidence/ledger.js'
import { wallStartMs } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import type { Progress } from './progress.js'
import { createRunLog } from './run-log.js'

const setup = () => {
  const [written, kept, seen] = [[] as JournalRecord[], [] as Ledger[], [] as Progress[]]
  const journal = {
    write: (each: JournalRecord) => written.push(each),
    keep: (each: Ledger) => kept.push(each),
    close() {},
  }
  return { written, kept, seen, log: createRunLog(journal, { wallStartMs, keys: [] }, (event) => seen.push(event)) }
}

it('has on disk what it has at hand, in the same order', () => {
  const { log, written, seen } = setup()
  log.exchange(madeExchange({ sentAt: 5 }))
  log.note(9, 'waiting')
  expect(log.records).toEqual(written)
  expect(written.map(({ type }) => type)).toEqual(['exchange', 'note'])
  expect(seen).toEqual([
    { kind: 'sent', at: 7, count: 1 },
    { kind: 'note', at: 9, text: 'waiting' },
  ])
})

it('keeps ledgers apart', () => {
  const { log, kept, written } = setup()
  const ledger = madeLedger([{ sentMs: 1 }])
  log.ledger(ledger)
  expect([log.ledgers, kept, written]).toEqual([[ledger], [ledger], []])
})

it('learns the clock of the target from what it has said so far', () => {
  const { log } = setup()
  expect(log.clock().told).toBe(false)
  log.exchange(madeExchange({ sentAt: 100, headers: { Date: new Date(wallStartMs).toUTCString() } }))
  expect(log.clock()).toEqual({ from: wallStartMs - 102, to: wallStartMs + 1_000, told: true })
})
