import { z } from 'zod'
import type { Witness } from '../kit/witness.js'
import { headerLine, recordedBody } from './exchange.js'

/** Bits of a row's `flags`. */
export const ledgerFlags = {
  /** `Retry-After` was an HTTP-date: `retryAfter` is its epoch in seconds, not a wait. */
  retryAfterIsDate: 1,
  /** The connection ended with this answer: it said so, had no length, or was followed by bytes that answer nothing. */
  closedAfter: 2,
  /** No head within the time limit. */
  timedOut: 4,
  /** The connection ended before a head came: the request may or may not have been counted. */
  lost: 8,
  /** The connection broke before a head was read, or what came is no HTTP: the request may have been counted. */
  failed: 16,
  /** One of the four headers came more than once: Infinity is recorded where its lines differ, of Retry-After the first. */
  duplicateHeader: 32,
  /** A head came, and its body did not end as it should or in time. */
  bodyCut: 64,
  /** A rule of the contract takes the answer for a quota's refusal, or for a ban. Only where rules were asked. */
  refusedByRule: 128,
  bannedByRule: 256,
  /** Rules that read bodies were to be asked, and the body did not come whole, or in a coding that nobody can undo. */
  unruled: 512,
  /** `reset` is seconds from the receipt of the answer, not since the epoch. */
  resetFromNow: 1024,
  /** The agent that had it to send was lost, or its record was: it may have been sent, at this time or later. */
  untold: 2048,
  /** What the answer showed was another quota's, so that nothing of this one is recorded but its limit. */
  showsAnother: 4096,
} as const

/** The columns in the order of the file, each with the type of its cells. 62 bytes a row. */
export const ledgerColumns = {
  plannedUs: Float64Array,
  sentUs: Float64Array,
  receivedUs: Float64Array,
  limit: Float64Array,
  remaining: Float64Array,
  reset: Float64Array,
  retryAfter: Float64Array,
  status: Uint16Array,
  connection: Uint16Array,
  flags: Uint16Array,
} as const
type ColumnName = keyof typeof ledgerColumns
/** Their names, in that order. */
export const columnNames = Object.keys(ledgerColumns) as ColumnName[]

/**
 * One row an exchange, in order of sending. Times are microseconds on the run's monotonic clock since its start;
 * `plannedUs` is NaN where no schedule named a time, `receivedUs` where no head came (then `status` is 0).
 * A header's number is NaN where it is absent and Infinity where it is there and no decimal number.
 */
export type LedgerRows = { readonly length: number } & {
  readonly [Name in ColumnName]: InstanceType<(typeof ledgerColumns)[Name]>
}

/** One row of {@link LedgerRows}, with its place: `burst-free#61` is row 61. */
export type LedgerRow = { readonly index: number } & { readonly [Name in ColumnName]: number }

/** A response kept whole as a sample; secrets are redacted before. */
export const ledgerSample = z.object({
  row: z.int().min(0),
  status: z.int(),
  reason: z.string(),
  headers: z.array(headerLine),
  body: recordedBody,
})
export type LedgerSample = z.infer<typeof ledgerSample>

/** sent = answered + errors + timeouts + lost; planned - sent were never sent. */
const ledgerCounts = z.object({
  planned: z.int().min(0),
  sent: z.int().min(0),
  answered: z.int().min(0),
  errors: z.int().min(0),
  timeouts: z.int().min(0),
  lost: z.int().min(0),
})
export type LedgerCounts = z.infer<typeof ledgerCounts>

/** The machine that sent a load for a run, and by how much its clock may be wrong. */
const ledgerOrigin = z.object({
  agent: z.string(),
  /** The name that the run asked for: `eu` for `eu-1`. */
  group: z.string(),
  target: z.string(),
  /** Rows are on the run's clock to within this, in milliseconds. */
  clockErrorMs: z.number().min(0),
  /** Whether its clock moved by no more than is allowed. */
  isClockKept: z.boolean(),
})
export type LedgerOrigin = z.infer<typeof ledgerOrigin>

/** A clock that may be wrong by more than this is not sure enough for a pass that rests on its times. */
const mostClockErrorMs = 5

/** What a ledger says of itself. `id` is unique in a run (`burst-free`); `key` is a key's name, never the key. */
export const ledgerHead = z.object({
  id: z.string(),
  probe: z.string(),
  key: z.string().nullable(),
  /** The request that it sends, and the quota that it was sent for; absent for the bundled contract's list. */
  operation: z.string().optional(),
  quota: z.string().optional(),
  /** Where it was sent from; absent where that was the machine that played the run. */
  origin: ledgerOrigin.optional(),
  /** Named parts of the load: rows from `fromRow`, up to the next one's. */
  phases: z.array(z.object({ name: z.string(), fromRow: z.int().min(0), startUs: z.number() })),
  samples: z.array(ledgerSample),
  counts: ledgerCounts,
  /** How far from the plan requests were sent; null where nothing was planned in time. */
  scheduleErrorMs: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
  /** The longest time for which the generator itself stood still, in milliseconds: nothing was read meanwhile. */
  stoodStillMs: z.number().min(0).default(0),
  /** Why the load ended early, as a sentence; null where it did not. */
  problem: z.string().nullable(),
})
export type LedgerHead = z.infer<typeof ledgerHead>

/** Whether the sending machine stood still for more than a fiftieth of a window, such as 1.2 s of a minute: such a load tells less than was planned. */
export const isStalled = ({ stoodStillMs }: Pick<LedgerHead, 'stoodStillMs'>, windowMs: number): boolean =>
  stoodStillMs > windowMs / 50

/** A load whose 99th percentile was sent later than this was late: twice what the bench shows at 5,000 a second. */
const latestSendMs = 10

/** Whether a load was sent too late to show what its schedule was to show. */
export const isLate = ({ scheduleErrorMs }: Pick<LedgerHead, 'scheduleErrorMs'>): boolean =>
  scheduleErrorMs !== null && scheduleErrorMs.p99 > latestSendMs

/** By how much the times of a load may be wrong on the run's clock, in milliseconds: 0 where the run's own machine sent it. */
export const clockErrorOf = ({ origin }: Pick<LedgerHead, 'origin'>): number => origin?.clockErrorMs ?? 0

/** Whether its times are sure enough for a pass that rests on them. */
export const isClockSure = ({ origin }: Pick<LedgerHead, 'origin'>): boolean =>
  origin === undefined || (origin.isClockKept && origin.clockErrorMs <= mostClockErrorMs)

/** The record of a load: its evidence. */
export interface Ledger {
  readonly head: LedgerHead
  readonly rows: LedgerRows
  /** Of a part of a ledger: the row of the whole that is its first. */
  readonly firstRow?: number
}

/** A row of a ledger as a witness, by its place in the whole ledger. */
export const rowWitness = ({ head, firstRow = 0 }: Pick<Ledger, 'head' | 'firstRow'>, row: number): Witness => ({
  ledger: head.id,
  row: firstRow + row,
})

type Columns = { [Name in ColumnName]: InstanceType<(typeof ledgerColumns)[Name]> }

export const makeColumns = (make: (name: ColumnName) => Columns[ColumnName]): Columns =>
  Object.fromEntries(columnNames.map((name) => [name, make(name)])) as Columns

/** One row as an object: for a few rows, not for going through a million. */
export const ledgerRow = (rows: Omit<LedgerRows, 'length'>, index: number): LedgerRow => {
  const cells = columnNames.map((name) => [name, rows[name][index]])
  return { index, ...Object.fromEntries(cells) } as LedgerRow
}

/** Writes rows as they happen. Doubles its room where more come than planned. */
export class LedgerWriter {
  length = 0
  columns: Columns
  #capacity: number

  constructor(planned: number) {
    this.#capacity = Math.max(16, planned)
    this.columns = makeColumns((name) => new ledgerColumns[name](this.#capacity))
  }

  /** Begins a row: sent, nothing heard yet. Returns its index, for the answer to be written to. */
  append(plannedUs: number, sentUs: number, connection: number): number {
    if (this.length === this.#capacity) this.#grow()
    const { columns, length } = this
    columns.plannedUs[length] = plannedUs
    columns.sentUs[length] = sentUs
    columns.connection[length] = connection
    columns.receivedUs[length] = Number.NaN
    columns.limit[length] = Number.NaN
    columns.remaining[length] = Number.NaN
    columns.reset[length] = Number.NaN
    columns.retryAfter[length] = Number.NaN
    this.length = length + 1
    return length
  }

  rows(): LedgerRows {
    return { ...makeColumns((name) => this.columns[name].subarray(0, this.length)), length: this.length }
  }

  #grow(): void {
    this.#capacity *= 2
    const before = this.columns
    this.columns = makeColumns((name) => {
      const grown = new ledgerColumns[name](this.#capacity)
      grown.set(before[name])
      return grown
    })
  }
}

/** Looks at bodies, where heads alone do not tell what an answer was. */
export interface BodyReader {
  /** Whether the body of this answer has to be looked at. Asked after the head was read. */
  wants(ledger: LedgerWriter, row: number, raw: readonly string[]): boolean
  /**
   * Writes what the body says into the row. Of `content` there are 64 KiB at most, content codings undone; `isWhole` is
   * false where the answer broke off, or its coding can't be undone.
   */
  read(ledger: LedgerWriter, row: number, raw: readonly string[], content: Buffer, isWhole: boolean): void
}

/** Reads the answers of a load into its rows. */
export interface RowReader {
  /**
   * Writes what an answer's head says into its row, whose status is there already, from the raw list of names and
   * values in turn: limit, remaining, reset and Retry-After as numbers, NaN where absent, Infinity where malformed.
   */
  readonly readHead: (ledger: LedgerWriter, row: number, raw: readonly string[]) => void
  /** Absent where heads tell everything. */
  readonly readBody?: BodyReader
}

/** How the answers of a load are read: into its rows, and as what status the engine knows them. */
export interface LoadReading extends RowReader {
  readonly statusOf: (row: LedgerRow) => number
}

/** The rows of several loads as those of one, in order of sending. */
export const joinRows = (parts: readonly LedgerRows[]): LedgerRows => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const columns = makeColumns((name) => {
    const column = new ledgerColumns[name](length)
    let at = 0
    for (const part of parts) {
      column.set(part[name], at)
      at += part.length
    }
    return column
  })
  const { sentUs } = columns
  if (sentUs.every((at, row) => row === 0 || at >= sentUs[row - 1])) return { ...columns, length }
  const order = Uint32Array.from({ length }, (_, row) => row).sort((a, b) => sentUs[a] - sentUs[b])
  const ordered = makeColumns((name) => new ledgerColumns[name](length).map((_, row) => columns[name][order[row]]))
  return { ...ordered, length }
}

/** Counts what became of the requests from the rows themselves; `planned` is taken as given. */
export const countRows = ({ length, status, flags }: LedgerRows, planned: number): LedgerCounts => {
  const counts = { planned, sent: length, answered: 0, errors: 0, timeouts: 0, lost: 0 }
  for (let row = 0; row < length; row++) {
    if (status[row] !== 0) counts.answered++
    else if (flags[row] & ledgerFlags.timedOut) counts.timeouts++
    else if (flags[row] & ledgerFlags.failed) counts.errors++
    else if (flags[row] & ledgerFlags.lost) counts.lost++
  }
  return counts
}
