import { z } from 'zod'
import { groupedBy } from '../kit/grouped-by.js'
import { whyOf } from '../kit/usage-error.js'
import { countRows, type Ledger, type LedgerRow, LedgerWriter, ledgerFlags } from './ledger.js'
import { decodeLedger, encodeLedger } from './ledger-file.js'

const cells = ['plannedUs', 'sentUs', 'receivedUs', 'limit', 'remaining', 'reset', 'retryAfter'] as const

/** A ledger cell in JSON: null for NaN, "odd" for Infinity, since JSON has neither. */
const cell = z.union([z.number(), z.null(), z.literal('odd')])

/**
 * A row of a load that spends a day, which cannot be played twice: written just before the request is sent, and again when
 * the head of its answer has come. If a row has several records, the last one counts.
 */
export const loadRow = z.object({
  type: z.literal('row'),
  ledger: z.string().regex(/^[\w-]{1,100}$/),
  probe: z.string(),
  key: z.string(),
  row: z.int().min(0),
  /** In the order of {@link cells}. */
  cells: z.array(cell).length(cells.length),
  status: z.int().min(0).max(65_535),
  connection: z.int().min(0).max(65_535),
  flags: z.int().min(0).max(65_535),
})
export type LoadRowRecord = z.infer<typeof loadRow>

const written = (value: number): z.infer<typeof cell> =>
  Number.isNaN(value) ? null : Number.isFinite(value) ? value : 'odd'

const read = (value: z.infer<typeof cell>): number =>
  value === null ? Number.NaN : value === 'odd' ? Number.POSITIVE_INFINITY : value

export const loadRowRecord = (of: { ledger: string; probe: string; key: string }, row: LedgerRow): LoadRowRecord => ({
  type: 'row',
  ...of,
  row: row.index,
  cells: cells.map((name) => written(row[name])),
  status: row.status,
  connection: row.connection,
  flags: row.flags,
})

/** The ledger of a load during which the process ended. Requests without an answer by then count as lost. */
const ledgerOf = (id: string, records: readonly LoadRowRecord[]): Ledger => {
  const last = new Map(records.map((each) => [each.row, each]))
  const rows = [...last.values()].sort((a, b) => a.row - b.row)
  const gap = rows.findIndex(({ row }, at) => row !== at)
  if (gap >= 0) throw new Error(`row ${gap} of the load ${id} is missing`)
  const writer = new LedgerWriter(rows.length)
  for (const { row, cells: values, status, connection, flags } of rows) {
    writer.append(0, 0, connection)
    cells.forEach((name, at) => {
      writer.columns[name][row] = read(values[at])
    })
    writer.columns.status[row] = status
    writer.columns.flags[row] = flags
    const unheard = ledgerFlags.lost | ledgerFlags.failed | ledgerFlags.timedOut
    if (status === 0 && (flags & unheard) === 0) writer.columns.flags[row] |= ledgerFlags.lost
  }
  const { probe, key } = records[0]
  const ledger: Ledger = {
    head: {
      id,
      probe,
      key,
      phases: [{ name: 'load', fromRow: 0, startUs: writer.columns.sentUs[0] }],
      samples: [],
      counts: countRows(writer.rows(), rows.length),
      scheduleErrorMs: null,
      stoodStillMs: 0,
      problem: 'the run ended in the middle of it',
    },
    rows: writer.rows(),
  }
  // Read like one from a file, so that rows that make no ledger are rejected.
  return decodeLedger(encodeLedger(ledger))
}

/** The ledgers of loads during which a run ended, made from their rows, if they have no ledger of their own. */
export const ledgersOfRows = (records: readonly { readonly type: string }[], kept: readonly Ledger[]) => {
  const whole = new Set(kept.map(({ head }) => head.id))
  const open = groupedBy(
    records.filter(isRow).filter(({ ledger }) => !whole.has(ledger)),
    ({ ledger }) => ledger,
  )
  const ledgers: Ledger[] = []
  const unreadable: string[] = []
  for (const [id, rows] of open) {
    try {
      ledgers.push(ledgerOf(id, rows))
    } catch (error) {
      unreadable.push(`the rows of ${id}: ${whyOf(error)}`)
    }
  }
  return { ledgers, unreadable }
}

const isRow = (each: { readonly type: string }): each is LoadRowRecord => each.type === 'row'
