import { type LedgerRow, type LedgerRows, ledgerRow } from '../evidence/ledger.js'
import { type Chunk, chunkOf } from './chunk.js'

/** Rows in a chunk at most: one is 1 MB then. */
const mostRows = 16_384

/** Rows that have changed go out in numbered chunks, which are kept until somebody has all of them. */
export interface RowSender {
  /** A row was begun, or its answer was read. */
  changed(row: LedgerRow): void
  /** Makes chunks of what has changed since the last time. */
  flush(): readonly Chunk[]
  /** The load is over: makes chunks of all that was not told yet, or otherwise. */
  finish(rows: LedgerRows): readonly Chunk[]
  /** How many chunks there are. */
  count(): number
  /** A chunk that was made; undefined where none has that number. */
  chunk(number: number): Chunk | undefined
}

/** @param amount the most rows that there will be. */
export const createRowSender = (amount: number): RowSender => {
  const chunks: Chunk[] = []
  const toldStatus = new Uint16Array(amount)
  const toldFlags = new Uint16Array(amount)
  const told = new Uint8Array(amount)
  let changed = new Map<number, LedgerRow>()

  const make = (rows: readonly LedgerRow[]): Chunk[] => {
    const made: Chunk[] = []
    for (let from = 0; from < rows.length; from += mostRows) {
      made.push(chunkOf(chunks.length + made.length, rows.slice(from, from + mostRows)))
    }
    for (const { index, status, flags } of rows) {
      told[index] = 1
      toldStatus[index] = status
      toldFlags[index] = flags
    }
    chunks.push(...made)
    return made
  }

  return {
    changed(row) {
      changed.set(row.index, row)
    },
    flush() {
      const rows = [...changed.values()]
      changed = new Map()
      return make(rows)
    },
    finish(rows) {
      changed = new Map()
      const isUntold = (i: number) =>
        told[i] === 0 || toldStatus[i] !== rows.status[i] || toldFlags[i] !== rows.flags[i]
      const untold = Array.from({ length: rows.length }, (_, i) => i).filter(isUntold)
      return make(untold.map((i) => ledgerRow(rows, i)))
    },
    count: () => chunks.length,
    chunk: (number) => chunks[number],
  }
}
