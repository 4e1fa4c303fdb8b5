import { declaredStatuses } from '../contract/api-contract.js'
import { atScale } from '../contract/partitions.js'
import { contractOf } from '../contract/petstore/petstore.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Exchange } from '../evidence/exchange.js'
import { clockErrorOf, type LedgerHead, ledgerFlags, rowWitness } from '../evidence/ledger.js'
import { onceFor } from '../kit/once-for.js'
import type { Witness } from '../kit/witness.js'
import { answerReader } from './answers.js'
import { type AnswerReading, cellOf, type NumberHeader, type RetryAfter } from './limit-values.js'
import { viewOf } from './quota-views.js'

/** How Retry-After names a wait, as a byte. `malformed` may still hold a number (`2.5`). */
export const waitForms = { absent: 0, seconds: 1, date: 2, malformed: 3 } as const

const columnsFor = (size: number) => ({
  sentMs: new Float64Array(size),
  /** NaN if no answer came. */
  receivedMs: new Float64Array(size),
  /** 0 if no answer came. */
  status: new Uint16Array(size),
  limit: new Float64Array(size),
  remaining: new Float64Array(size),
  /** Seconds since the epoch. */
  reset: new Float64Array(size),
  /** What Retry-After names: seconds from the answer's receipt or, for a date, seconds since the epoch. */
  wait: new Float64Array(size),
  /** Codes of {@link waitForms}. */
  waitForm: new Uint8Array(size),
  /** The number of the row's ledger, counted from 1; 0 for a single exchange. */
  ledger: new Uint32Array(size),
})
type Columns = ReturnType<typeof columnsFor>

/**
 * Every request of a run and what its answer says about the quota in question, read once, as columns: single exchanges first,
 * then the rows of its ledgers. Times are milliseconds since the run's start. In limit, remaining, reset and wait, NaN is
 * "absent" and Infinity "malformed". An answer with Limit 60, no Remaining and a Reset of `soon` is 60, NaN, Infinity.
 */
export interface Readings extends Readonly<Omit<Columns, 'ledger'>> {
  readonly size: number
  /** The single exchange that a row is; undefined for a row of a load. */
  exchange(row: number): Exchange | undefined
  load(row: number): LedgerHead | undefined
  witness(row: number): Witness
  /** What the answer says, with its own words if malformed. */
  said(row: number): AnswerReading
}

const waitOf = (wait: RetryAfter): number => {
  if (wait.form === 'absent') return Number.NaN
  if (wait.form === 'date') return wait.epochMs / 1000
  return wait.seconds ?? Number.POSITIVE_INFINITY
}

const unread = 'not a plain number'

const saidIn = (cell: number, twice: boolean): NumberHeader => {
  if (Number.isNaN(cell)) return { state: 'absent' }
  if (!Number.isFinite(cell)) return { state: 'malformed', text: unread }
  return { state: 'number', value: cell, text: String(cell), plain: !twice }
}

const waitIn = (cell: number, form: number): RetryAfter => {
  if (form === waitForms.absent) return { form: 'absent' }
  if (form === waitForms.malformed)
    return { form: 'malformed', text: unread, seconds: Number.isFinite(cell) ? cell : null }
  return form === waitForms.date ? { form: 'date', epochMs: cell * 1000 } : { form: 'seconds', seconds: cell }
}

const readExchanges = (columns: Columns, exchanges: readonly Exchange[], said: readonly AnswerReading[]): void => {
  exchanges.forEach((x, i) => {
    const { limit, remaining, reset, retryAfter } = said[i]
    columns.sentMs[i] = x.sentAt
    columns.receivedMs[i] = x.receivedAt ?? Number.NaN
    columns.status[i] = x.response?.status ?? 0
    columns.limit[i] = cellOf(limit)
    columns.remaining[i] = cellOf(remaining)
    columns.reset[i] = cellOf(reset)
    columns.wait[i] = waitOf(retryAfter)
    columns.waitForm[i] = waitForms[retryAfter.form]
  })
}

const formOfCell = (wait: number, flags: number): number => {
  if (Number.isNaN(wait)) return waitForms.absent
  if (!Number.isInteger(wait)) return waitForms.malformed
  return (flags & ledgerFlags.retryAfterIsDate) !== 0 ? waitForms.date : waitForms.seconds
}

const readLoad = (
  columns: Columns,
  { head, rows }: Evidence['ledgers'][number],
  from: number,
  ledger: number,
): void => {
  // A request from another machine happened at some time within its clock's error.
  const errorMs = clockErrorOf(head)
  columns.status.set(rows.status, from)
  columns.limit.set(rows.limit, from)
  columns.remaining.set(rows.remaining, from)
  columns.reset.set(rows.reset, from)
  columns.wait.set(rows.retryAfter, from)
  columns.ledger.fill(ledger, from, from + rows.length)
  for (let i = 0; i < rows.length; i += 1) {
    columns.sentMs[from + i] = rows.sentUs[i] / 1000 - errorMs
    columns.receivedMs[from + i] = rows.receivedUs[i] / 1000 + errorMs
    columns.waitForm[from + i] = formOfCell(rows.retryAfter[i], rows.flags[i])
  }
}

/** The table of a run, or of one quota if the evidence is a view of it. */
export const readingsOf = onceFor((evidence: Evidence): Readings => {
  const { run, exchanges, ledgers } = evidence
  const { contract, quota } = viewOf(evidence)
  const read = answerReader(contract, atScale(quota, run.timeScale), run.wallStartMs)
  const said = exchanges.map(read)
  const firstRows: number[] = []
  let size = exchanges.length
  for (const { rows } of ledgers) {
    firstRows.push(size)
    size += rows.length
  }
  const columns = columnsFor(size)
  readExchanges(columns, exchanges, said)
  ledgers.forEach((ledger, at) => {
    readLoad(columns, ledger, firstRows[at], at + 1)
  })
  const { ledger: numbers, ...shown } = columns
  const heads = ledgers.map(({ head }) => head)
  return {
    size,
    ...shown,
    exchange: (row) => exchanges[row],
    load: (row) => heads[numbers[row] - 1],
    witness: (row) => {
      if (row < exchanges.length) return { id: exchanges[row].id }
      const at = numbers[row] - 1
      return rowWitness(ledgers[at], row - firstRows[at])
    },
    said: (row) => {
      if (row < exchanges.length) return said[row]
      const at = numbers[row] - 1
      const flags = ledgers[at].rows.flags[row - firstRows[at]]
      const twice = (flags & ledgerFlags.duplicateHeader) !== 0
      return {
        limit: saidIn(columns.limit[row], twice),
        remaining: saidIn(columns.remaining[row], twice),
        reset: saidIn(columns.reset[row], twice),
        retryAfter: waitIn(columns.wait[row], columns.waitForm[row]),
        showsAnother: (flags & ledgerFlags.showsAnother) !== 0,
      }
    },
  }
})

const rowsById = onceFor((evidence: Evidence) => new Map(evidence.exchanges.map(({ id }, row) => [id, row])))

export const saidBy = (evidence: Evidence, { id }: Pick<Exchange, 'id'>): AnswerReading => {
  const row = rowsById(evidence).get(id)
  if (row === undefined) throw new Error(`the evidence has no exchange ${id}`)
  return readingsOf(evidence).said(row)
}

/** The rate-limit headers of one answer of an operation, wherever it was recorded. */
export interface RateReading {
  readonly witness: Witness
  /** The key of the request; null if the credential was no valid key, so that no plan is known. */
  readonly key: string | null
  /** The requested operation; absent for loads under the bundled contract. */
  readonly operation?: string
  readonly status: number
  readonly sentAt: number
  readonly receivedAt: number
  readonly headers: AnswerReading
  readonly retryAfter: RetryAfter
}

/**
 * The rate-limit headers of every answer of a run, single exchanges first; a generator, since loads have a million. Gateways
 * and parsers answer with statuses that the contract declares for no request, and owe no headers.
 */
export function* rateReadings(evidence: Evidence): Generator<RateReading> {
  const table = readingsOf(evidence)
  const { size, sentMs, receivedMs, status } = table
  const { quota } = viewOf(evidence)
  const declared = new Set(declaredStatuses(contractOf(evidence.run)))
  for (let row = 0; row < size; row += 1) {
    if (!declared.has(status[row])) continue
    const x = table.exchange(row)
    const load = table.load(row)
    // A load for another quota kept only that quota's fields.
    if (load?.quota !== undefined && load.quota !== quota.id) continue
    if (x && (x.operation === null || x.receivedAt === null)) continue
    const headers = table.said(row)
    const isWithKey = status[row] !== 401 && (x === undefined || x.credential === 'bearer')
    yield {
      witness: table.witness(row),
      key: isWithKey ? ((x ?? load)?.key ?? null) : null,
      operation: (x ?? load)?.operation ?? undefined,
      status: status[row],
      sentAt: sentMs[row],
      receivedAt: receivedMs[row],
      headers,
      retryAfter: headers.retryAfter,
    }
  }
}
