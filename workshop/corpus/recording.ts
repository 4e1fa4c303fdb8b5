import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/**
 * How a recording packs a ledger's file: columns as small differences instead of eight bytes a cell. Times are rounded to
 * the microsecond, which is finer than the clock; every other cell is restored exactly.
 */

const prefixBytes = 24
const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8

/** The columns of a ledger's file of version 2, in its order (`docs/reference/ledger.md`), with the bytes of a cell. */
const columns = [
  { name: 'plannedUs', cell: 8, isTime: true },
  { name: 'sentUs', cell: 8, isTime: true },
  { name: 'receivedUs', cell: 8, isTime: true },
  { name: 'limit', cell: 8 },
  { name: 'remaining', cell: 8 },
  { name: 'reset', cell: 8 },
  { name: 'retryAfter', cell: 8 },
  { name: 'status', cell: 2 },
  { name: 'connection', cell: 2 },
  { name: 'flags', cell: 2 },
] as const

/** Marks for cells that are no differences: these numbers are odd, while differences are written as even ones. */
const marks = { nan: 1, infinity: 3, raw: 5 }

/** Numbers of any size in as few bytes as they need: seven bits a byte. */
class Bytes {
  readonly #bytes: number[] = []

  number(value: number): void {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) + 128)
    this.#bytes.push(rest)
  }

  /** A difference: its sign in the last bit but one. */
  difference(value: number): void {
    this.number(value < 0 ? -4 * value - 2 : 4 * value)
  }

  cell(value: number, before: number): void {
    if (Number.isNaN(value)) this.number(marks.nan)
    else if (value === Number.POSITIVE_INFINITY) this.number(marks.infinity)
    else if (Number.isSafeInteger(value) && Math.abs(value) < 2 ** 48 && !Object.is(value, -0)) {
      this.difference(value - before)
    } else {
      this.number(marks.raw)
      this.#bytes.push(...Buffer.from(Float64Array.of(value).buffer))
    }
  }

  done(): Buffer {
    return Buffer.from(this.#bytes)
  }
}

/** Reads what {@link Bytes} wrote. */
class BytesAgain {
  #at = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++]
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }

  cell(before: number): number {
    const coded = this.number()
    if (coded === marks.nan) return Number.NaN
    if (coded === marks.infinity) return Number.POSITIVE_INFINITY
    if (coded !== marks.raw) return before + (coded % 4 === 0 ? coded / 4 : -(coded + 2) / 4)
    this.#at += 8
    return this.#bytes.readDoubleLE(this.#at - 8)
  }
}

const readCells = (file: Buffer, at: number, rows: number, cell: number): number[] =>
  Array.from({ length: rows }, (_, row) =>
    cell === 8 ? file.readDoubleLE(at + row * 8) : file.readUInt16LE(at + row * 2),
  )

/** The value that a cell is stored relative to: for other times, when its request was sent; else the cell above. */
const nearOf = (name: string, cells: readonly number[], sent: readonly number[], row: number): number => {
  if (name === 'receivedUs') return sent[row]
  const above = row === 0 ? 0 : cells[row - 1]
  return Number.isSafeInteger(above) ? above : 0
}

/** Whether these bytes are a ledger whose columns can be packed; others are kept as they are. */
const isWhole = (file: Buffer): boolean => {
  if (file.length < prefixBytes || file.toString('latin1', 0, 8) !== 'QSLEDGER' || file.readUInt32LE(8) !== 2)
    return false
  const rows = file.readUInt32LE(16)
  const cells = columns.reduce((sum, { cell }) => sum + padded(rows * cell), 0)
  return file.length === prefixBytes + padded(file.readUInt32LE(12)) + cells
}

/** Packs a ledger's file: a byte for the packing, then its head, then its columns one after the other. */
const packLedger = (file: Buffer): Buffer => {
  if (!isWhole(file)) return Buffer.concat([Buffer.of(0), file])
  const headBytes = prefixBytes + padded(file.readUInt32LE(12))
  const rows = file.readUInt32LE(16)
  const bytes = new Bytes()
  let at = headBytes
  let sent: readonly number[] = []
  for (const { name, cell, ...column } of columns) {
    const read = readCells(file, at, rows, cell)
    const cells = 'isTime' in column ? read.map(Math.round) : read
    if (name === 'sentUs') sent = cells
    cells.forEach((value, row) => {
      bytes.cell(value, nearOf(name, cells, sent, row))
    })
    at += padded(rows * cell)
  }
  return Buffer.concat([Buffer.of(1), file.subarray(0, headBytes), bytes.done()])
}

/** Restores the ledger's file. */
const unpackLedger = (packed: Buffer): Buffer => {
  const file = packed.subarray(1)
  if (packed[0] === 0) return file
  const headBytes = prefixBytes + padded(file.readUInt32LE(12))
  const rows = file.readUInt32LE(16)
  const bytes = new BytesAgain(file.subarray(headBytes))
  const parts = [file.subarray(0, headBytes)]
  let sent: readonly number[] = []
  for (const { name, cell } of columns) {
    const cells: number[] = []
    const part = Buffer.alloc(padded(rows * cell))
    for (let row = 0; row < rows; row++) {
      const value = bytes.cell(nearOf(name, cells, sent, row))
      cells.push(value)
      if (cell === 8) part.writeDoubleLE(value, row * 8)
      else part.writeUInt16LE(value, row * 2)
    }
    if (name === 'sentUs') sent = cells
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Times on the run's clock in a journal. Fields within bodies are escaped there, and never match. */
const times = /"(sentAt|receivedAt|endedAt|at|machineMs)":(\d+(?:\.\d+)?)(?=[,}])/g
const gaps = /"(sentAt|receivedAt|endedAt|at|machineMs)":(?=[,}])/g

/** The journal without its times, and the times in whole microseconds, each as the difference from the one before. */
const packJournal = (journal: string): Buffer[] => {
  const bytes = new Bytes()
  let before = 0
  const text = journal.replace(times, (_, name: string, ms: string) => {
    const us = Math.round(Number(ms) * 1000)
    bytes.cell(us, before)
    before = us
    return `"${name}":`
  })
  return [Buffer.from(text), bytes.done()]
}

const unpackJournal = (text: Buffer, packed: Buffer): string => {
  const bytes = new BytesAgain(packed)
  let us = 0
  return text.toString('utf8').replace(gaps, (gap) => {
    us = bytes.cell(us)
    return `${gap}${us / 1000}`
  })
}

const compressed = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

/** Packs a folder's saved run, only its journal and ledgers, into about twenty kilobytes. */
export const packRun = (folder: string): Buffer => {
  const journal = packJournal(readFileSync(join(folder, 'journal.jsonl'), 'utf8'))
  const ledgers = join(folder, 'ledgers')
  const names = existsSync(ledgers) ? readdirSync(ledgers).sort() : []
  const parts = [...journal, ...names.map((name) => packLedger(readFileSync(join(ledgers, name))))]
  const index = Buffer.from(`${JSON.stringify({ names, lengths: parts.map(({ length }) => length) })}\n`)
  return compressed(Buffer.concat([index, ...parts]))
}

/** Unpacks a saved run into this folder. */
export const unpackRun = (packed: Buffer, folder: string): void => {
  const bytes = brotliDecompressSync(packed)
  let at = bytes.indexOf('\n') + 1
  const { names, lengths }: { names: string[]; lengths: number[] } = JSON.parse(bytes.toString('utf8', 0, at))
  const [text, packedTimes, ...ledgers] = lengths.map((length) => {
    at += length
    return bytes.subarray(at - length, at)
  })
  mkdirSync(join(folder, 'ledgers'), { recursive: true })
  writeFileSync(join(folder, 'journal.jsonl'), unpackJournal(text, packedTimes))
  for (const [index, ledger] of ledgers.entries()) {
    writeFileSync(join(folder, 'ledgers', names[index]), unpackLedger(ledger))
  }
}
