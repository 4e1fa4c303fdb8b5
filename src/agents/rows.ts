import { crc32 } from 'node:zlib'
import {
  columnNames,
  type LedgerRow,
  type LedgerRows,
  LedgerWriter,
  ledgerColumns,
  ledgerFlags,
  ledgerRow,
} from '../evidence/ledger.js'
import type { offsetTrack } from './clocks.js'

const indexBytes = 4
/** The size of a row in a chunk: 66 bytes. */
const chunkRowBytes = indexBytes + columnNames.reduce((sum, name) => sum + ledgerColumns[name].BYTES_PER_ELEMENT, 0)

/** Rows of a load, with their indexes, as they were when the chunk was made; times are on the agent's clock. */
export interface Chunk {
  readonly number: number
  readonly bytes: Buffer
  readonly crc: number
}

export const chunkOf = (number: number, rows: readonly LedgerRow[]): Chunk => {
  const bytes = Buffer.alloc(rows.length * chunkRowBytes)
  let at = 0
  for (const row of rows) {
    at = bytes.writeUInt32LE(row.index, at)
    for (const name of columnNames) {
      at =
        ledgerColumns[name] === Float64Array ? bytes.writeDoubleLE(row[name], at) : bytes.writeUInt16LE(row[name], at)
    }
  }
  return { number, bytes, crc: crc32(bytes) }
}

const eachRow = ({ bytes }: Pick<Chunk, 'bytes'>, call: (index: number, at: number) => void): void => {
  for (let at = 0; at < bytes.length; at += chunkRowBytes) call(bytes.readUInt32LE(at), at + indexBytes)
}

type Columns = { readonly [Name in keyof typeof ledgerColumns]: InstanceType<(typeof ledgerColumns)[Name]> }

/** Writes the cells of a row, which begin at byte `at` of the chunk, into columns. */
const writeCells = ({ bytes }: Pick<Chunk, 'bytes'>, at: number, columns: Columns, row: number): void => {
  let from = at
  for (const name of columnNames) {
    const isDouble = ledgerColumns[name] === Float64Array
    columns[name][row] = isDouble ? bytes.readDoubleLE(from) : bytes.readUInt16LE(from)
    from += isDouble ? 8 : 2
  }
}

/** The most rows in a chunk, which is then 1 MB. */
const mostRows = 16_384

/** Sends up to `amount` changed rows in numbered chunks, and keeps these until the coordinator has all of them. */
export const createRowSender = (amount: number) => {
  const chunks: Chunk[] = []
  const toldStatus = new Uint16Array(amount)
  const toldFlags = new Uint16Array(amount)
  const told = new Uint8Array(amount)
  let changed = new Map<number, LedgerRow>()

  const make = (rows: readonly LedgerRow[]): Chunk[] => {
    const made: Chunk[] = []
    for (let from = 0; from < rows.length; from += mostRows)
      made.push(chunkOf(chunks.length + made.length, rows.slice(from, from + mostRows)))
    for (const { index, status, flags } of rows) {
      told[index] = 1
      toldStatus[index] = status
      toldFlags[index] = flags
    }
    chunks.push(...made)
    return made
  }

  return {
    /** A row was begun, or its response was read. */
    changed(row: LedgerRow): void {
      changed.set(row.index, row)
    },
    /** Makes chunks of the rows that changed since the last call. */
    flush(): readonly Chunk[] {
      const rows = [...changed.values()]
      changed = new Map()
      return make(rows)
    },
    /** Ends the load: makes chunks of all rows that were not sent yet, or have changed since. */
    finish(rows: LedgerRows): readonly Chunk[] {
      changed = new Map()
      const isUntold = (i: number) =>
        told[i] === 0 || toldStatus[i] !== rows.status[i] || toldFlags[i] !== rows.flags[i]
      const untold = Array.from({ length: rows.length }, (_, i) => i).filter(isUntold)
      return make(untold.map((i) => ledgerRow(rows, i)))
    },
    count: () => chunks.length,
    chunk: (number: number): Chunk | undefined => chunks[number],
  }
}

/** How many chunks are requested at once. */
const mostAsked = 200

/**
 * Assembles the chunks of a share, in whatever order they come: of several with one row, the highest number wins. Times
 * are on the agent's clock; a missing row was in no chunk. A chunk with a row beyond `most` is damaged.
 */
export const createRowBook = (most: number) => {
  const taken = new Set<number>()
  const writer = new LedgerWriter(Math.min(most, 4_096))
  /** For each row, the number of its latest chunk. */
  const toldBy: number[] = []

  return {
    /** Takes a chunk; false if it is damaged. A repeated chunk changes nothing. */
    take(chunk: Chunk): boolean {
      if (chunk.bytes.length % chunkRowBytes !== 0 || crc32(chunk.bytes) !== chunk.crc) return false
      let isWithin = true
      eachRow(chunk, (index) => {
        isWithin &&= index < most
      })
      if (!isWithin) return false
      if (taken.has(chunk.number)) return true
      taken.add(chunk.number)
      eachRow(chunk, (index, at) => {
        while (writer.length <= index) writer.append(Number.NaN, Number.NaN, 0)
        if (toldBy[index] >= chunk.number) return
        toldBy[index] = chunk.number
        writeCells(chunk, at, writer.columns, index)
      })
      return true
    },
    chunks: () => taken.size,
    /** The numbers of the missing chunks; only the first ones if there are many. */
    missing(of: number): number[] {
      const found: number[] = []
      for (let number = 0; number < of && found.length < mostAsked; number += 1) {
        if (!taken.has(number)) found.push(number)
      }
      return found
    },
    isTold: (index: number) => toldBy[index] !== undefined,
    rows: () => writer.rows(),
  }
}

/** The flags of a row that was or may have been marked for sending, and about which nothing more is known. */
const neverHeard = ledgerFlags.lost | ledgerFlags.untold

/** The flags of a row whose lack of a response is explained. */
const unheard = ledgerFlags.lost | ledgerFlags.failed | ledgerFlags.timedOut

/**
 * Puts the rows of a share on the run's clock, with the error of their times. A row in no chunk may have been sent, at
 * any time after the row before it: it is recorded as sent then, and lost, so that no request that may have been
 * counted is left out. `untold`: the number of rows about which nothing else is known. `notBeforeUs`: when the first
 * may have been sent.
 */
export const rowsOnRunClock = (
  book: Pick<ReturnType<typeof createRowBook>, 'rows' | 'isTold'>,
  { length, track, notBeforeUs }: { length: number; track: ReturnType<typeof offsetTrack>; notBeforeUs: number },
) => {
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
    for (const name of columnNames) columns[name][i] = came[name][i]
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
