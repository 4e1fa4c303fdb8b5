import { type LedgerRows, LedgerWriter, ledgerColumns, ledgerFlags } from '../evidence/ledger.js'
import type { OffsetTrack } from './offset-track.js'
import { neverHeard, type RowBook } from './row-book.js'

type ColumnName = keyof typeof ledgerColumns
const names = Object.keys(ledgerColumns) as ColumnName[]

/** What became of a row that got no answer, where that is known. */
const unheard = ledgerFlags.lost | ledgerFlags.failed | ledgerFlags.timedOut

/** The rows of a share on the run's clock, and by how much their times may be wrong. */
export interface PlacedRows {
  readonly rows: LedgerRows
  readonly clockErrorMs: number
  readonly isClockKept: boolean
  /** Rows of which nothing but that they may have been sent is known. */
  readonly untold: number
}

export interface Placing {
  /** How many rows there are, or may be. */
  readonly length: number
  /** The offset of the run's clock from the agent's; undefined where it was never read. */
  readonly track: OffsetTrack | undefined
  /** The earliest moment at which the first may have been sent, on the run's clock, in microseconds. */
  readonly notBeforeUs: number
}

/**
 * Puts the rows of a share on the run's clock. A row that nobody told of may have been sent, at any time after the row
 * before it: it is written down as sent then, and lost. So no request that the target may have counted is left out.
 */
export const rowsOnRunClock = (book: RowBook, { length, track, notBeforeUs }: Placing): PlacedRows => {
  const came = book.rows()
  const writer = new LedgerWriter(length)
  const { columns } = writer
  let [clockErrorMs, isClockKept, untold, lastUs] = [0, true, 0, notBeforeUs]

  const onRunClock = (us: number): number => {
    const offset = Number.isNaN(us) ? undefined : track?.(us / 1000)
    if (!offset) return us
    clockErrorMs = Math.max(clockErrorMs, offset.errorMs)
    isClockKept &&= offset.isKept
    return us + offset.ms * 1000
  }

  for (let i = 0; i < length; i += 1) {
    writer.append(Number.NaN, lastUs, 0)
    if (!track || !book.isTold(i)) {
      columns.flags[i] = neverHeard
      untold += 1
      continue
    }
    for (const name of names) columns[name][i] = came[name][i]
    lastUs = Math.max(lastUs, onRunClock(came.sentUs[i]))
    columns.sentUs[i] = lastUs
    columns.plannedUs[i] = onRunClock(came.plannedUs[i])
    columns.receivedUs[i] = Math.max(lastUs, onRunClock(came.receivedUs[i]))
    if (came.status[i] === 0 && (came.flags[i] & unheard) === 0) {
      columns.flags[i] |= neverHeard
      untold += 1
    }
  }
  return { rows: writer.rows(), clockErrorMs, isClockKept, untold }
}
