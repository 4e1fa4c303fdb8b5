import { z } from 'zod'
import type { Witness } from '../kit/witness.js'
import { headerLine, recordedBody } from './exchange.js'

export const ledgerFlags = {
  /** `Retry-After` was an HTTP-date: `retryAfter` is its epoch in seconds, not a wait. */
  retryAfterIsDate: 1,
  /** The connection ended with this answer: it said so, had no length, or was followed by bytes that answer no request. */
  closedAfter: 2,
  /** No head within the time limit. */
  timedOut: 4,
  /** The connection ended before a head came: the request may or may not have been counted. */
  lost: 8,
  /** The connection broke before a head was read, or what came is not HTTP: the request may have been counted. */
  failed: 16,
  /** One of the four headers came more than once: Infinity if its lines differ; for Retry-After the first counts. */
  duplicateHeader: 32,
  /** A head came, but its body did not end properly or in time. */
  bodyCut: 64,
  /** A rule of the contract calls the answer a quota's refusal, or a ban. Only if rules were applied. */
  refusedByRule: 128,
  bannedByRule: 256,
  /** Rules about bodies should have been applied, but the body came incomplete, or in a coding that cannot be undone. */
  unruled: 512,
  /** `reset` is seconds from the answer's receipt, not since the epoch. */
  resetFromNow: 1024,
  /** The agent that was to send it was lost, or its record was: it may have been sent, at this time or later. */
  untold: 2048,
  /** The answer showed another quota, so that at most the limit of this one is recorded. */
  showsAnother: 4096,
} as const

/** The columns in file order, each with the type of its cells. 62 bytes a row. */
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
export const columnNames = Object.keys(ledgerColumns) as ColumnName[]

/**
 * One row per exchange, in order of sending. Times are microseconds on the run's monotonic clock since its start; `plannedUs`
 * is NaN if no schedule set a time, `receivedUs` if no head came (then `status` is 0). A header's number is NaN if absent,
 * and Infinity if present but not a decimal number.
 */
export type LedgerRows = { readonly length: number } & Readonly<Columns>
type Columns = { [Name in ColumnName]: InstanceType<(typeof ledgerColumns)[Name]> }

/** One row of {@link LedgerRows}, with its index: `burst-free#61` is row 61. */
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

const ledgerOrigin = z.object({
  agent: z.string(),
  /** The name that the run asked for: `eu` for `eu-1`. */
  group: z.string(),
  target: z.string(),
  /** How exactly the rows follow the run's clock, in milliseconds. */
  clockErrorMs: z.number().min(0),
  /** Whether its clock moved by no more than allowed. */
  isClockKept: z.boolean(),
})
export type LedgerOrigin = z.infer<typeof ledgerOrigin>

/** A clock that may be off by more than this is not sure enough for a pass that depends on its times. */
const mostClockErrorMs = 5

/** Describes a ledger. `id` is unique in a run (`burst-free`); `key` is a key's name, never the key. */
export const ledgerHead = z.object({
  id: z.string(),
  probe: z.string(),
  key: z.string().nullable(),
  /** The request that it sends, and the quota that it is for; absent for the bundled contract's list. */
  operation: z.string().optional(),
  quota: z.string().optional(),
  /** Where it was sent from; absent for the machine that played the run. */
  origin: ledgerOrigin.optional(),
  /** Named parts of the load: each covers the rows from `fromRow` up to the next part's. */
  phases: z.array(z.object({ name: z.string(), fromRow: z.int().min(0), startUs: z.number() })),
  samples: z.array(ledgerSample),
  counts: ledgerCounts,
  /** How far off schedule requests were sent; null if there was no schedule. */
  scheduleErrorMs: z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable(),
  /** The longest standstill of the generator itself, in milliseconds: it read nothing meanwhile. */
  stoodStillMs: z.number().min(0).default(0),
  /** Why the load ended early, as a sentence; null if it did not. */
  problem: z.string().nullable(),
})
export type LedgerHead = z.infer<typeof ledgerHead>

/** Whether the sender stood still for over a fiftieth of a window (1.2 s of a minute): its load shows less than planned. */
export const isStalled = ({ stoodStillMs }: Pick<LedgerHead, 'stoodStillMs'>, windowMs: number): boolean =>
  stoodStillMs > windowMs / 50

/** A load whose 99th percentile was sent later than this was late: twice the bench's value at 5,000 a second. */
const latestSendMs = 10

/** Whether a load was sent too late to show what its schedule was meant to show. */
export const isLate = ({ scheduleErrorMs }: Pick<LedgerHead, 'scheduleErrorMs'>): boolean =>
  scheduleErrorMs !== null && scheduleErrorMs.p99 > latestSendMs

/** How far off the run's clock a load's times may be, in milliseconds: 0 if the run's own machine sent it. */
export const clockErrorOf = ({ origin }: Pick<LedgerHead, 'origin'>): number => origin?.clockErrorMs ?? 0

/** Whether its times are sure enough for a pass that depends on them. */
export const isClockSure = ({ origin }: Pick<LedgerHead, 'origin'>): boolean =>
  origin === undefined || (origin.isClockKept && origin.clockErrorMs <= mostClockErrorMs)

export interface Ledger {
  readonly head: LedgerHead
  readonly rows: LedgerRows
  /** For a part of a ledger: the index of its first row in the whole. */
  readonly firstRow?: number
}

/** When the last answer of a load came; `least` if none came, or only earlier. */
export const lastAnswerUs = ({ receivedUs }: Pick<LedgerRows, 'receivedUs'>, least = 0): number =>
  receivedUs.reduce((last, us) => (us > last ? us : last), least)

/** A ledger row as a witness, by its index in the whole ledger. */
export const rowWitness = ({ head, firstRow = 0 }: Pick<Ledger, 'head' | 'firstRow'>, row: number): Witness => ({
  ledger: head.id,
  row: firstRow + row,
})

export const makeColumns = (make: (name: ColumnName) => Columns[ColumnName]): Columns =>
  Object.fromEntries(columnNames.map((name) => [name, make(name)])) as Columns

/** One row as an object: for a few rows, not for going through a million. */
export const ledgerRow = (rows: Omit<LedgerRows, 'length'>, index: number): LedgerRow => {
  const cells = columnNames.map((name) => [name, rows[name][index]])
  return { index, ...Object.fromEntries(cells) } as LedgerRow
}

/** Writes rows as they happen. Doubles its space if more come than planned. */
export class LedgerWriter {
  length = 0
  columns: Columns
  #capacity: number

  constructor(planned: number) {
    this.#capacity = Math.max(16, planned)
    this.columns = makeColumns((name) => new ledgerColumns[name](this.#capacity))
  }

  /** Starts a row: sent, no answer yet. Returns its index, for writing the answer. */
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

/** Examines bodies if heads alone do not tell what an answer was. */
export interface BodyReader {
  /** Whether the body of this answer must be examined. Called after the head was read. */
  wants(ledger: LedgerWriter, row: number, raw: readonly string[]): boolean
  /**
   * Writes what the body says into the row. `content` is at most 64 KiB, content codings undone; `isWhole` is false if the
   * answer broke off, or its coding cannot be undone.
   */
  read(ledger: LedgerWriter, row: number, raw: readonly string[], content: Buffer, isWhole: boolean): void
}

export interface RowReader {
  /**
   * Writes what an answer's head says into its row, which already has its status, from the raw list of alternating names and
   * values: limit, remaining, reset and Retry-After as numbers, NaN if absent, Infinity if malformed.
   */
  readonly readHead: (ledger: LedgerWriter, row: number, raw: readonly string[]) => void
  readonly readBody?: BodyReader
}

/** How to read the answers of a load into its rows, and which status the engine sees. */
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

/** Counts the requests' results from the rows themselves; `planned` is taken as given. */
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
