import { countRows, type Ledger, type LedgerHead, LedgerWriter, ledgerFlags } from '../ledger.js'

/** A row of a made ledger: times in milliseconds, headers only if named. */
export interface MadeRow {
  readonly sentMs: number
  /** When it was due; if absent, the load had no schedule. */
  readonly plannedMs?: number
  readonly tookMs?: number
  /** null: no answer came. */
  readonly status?: number | null
  readonly limit?: number
  readonly remaining?: number
  readonly reset?: number
  readonly retryAfter?: number
  readonly flags?: readonly (keyof typeof ledgerFlags)[]
}

/** A ledger for a test: `head` says what differs from a successful burst load on the free key. */
export const madeLedger = (made: readonly MadeRow[], head: Partial<LedgerHead> = {}): Ledger => {
  const writer = new LedgerWriter(made.length)
  for (const { sentMs, plannedMs = Number.NaN, tookMs = 2, status = 200, flags = [], ...headers } of made) {
    const row = writer.append(plannedMs * 1000, sentMs * 1000, 0)
    const { columns } = writer
    columns.status[row] = status ?? 0
    if (status !== null) columns.receivedUs[row] = (sentMs + tookMs) * 1000
    columns.flags[row] = flags.reduce((bits, name) => bits | ledgerFlags[name], 0)
    for (const name of ['limit', 'remaining', 'reset', 'retryAfter'] as const) {
      columns[name][row] = headers[name] ?? Number.NaN
    }
  }
  const rows = writer.rows()
  return {
    head: {
      id: 'burst-free',
      probe: 'burst',
      key: 'free',
      phases: [],
      samples: [],
      counts: countRows(rows, made.length),
      scheduleErrorMs: null,
      stoodStillMs: 0,
      problem: null,
      ...head,
    },
    rows,
  }
}
