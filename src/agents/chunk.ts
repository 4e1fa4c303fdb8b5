import { crc32 } from 'node:zlib'
import { type LedgerRow, ledgerColumns } from '../evidence/ledger.js'

type ColumnName = keyof typeof ledgerColumns
const names = Object.keys(ledgerColumns) as ColumnName[]

const indexBytes = 4
/** What a row takes in a chunk: 66 bytes. */
const chunkRowBytes = indexBytes + names.reduce((sum, name) => sum + ledgerColumns[name].BYTES_PER_ELEMENT, 0)

/** Rows of a load as they were when the chunk was made, by their index; times are on the agent's clock. */
export interface Chunk {
  readonly number: number
  readonly bytes: Buffer
  readonly crc: number
}

/** Rows as the bytes of a chunk. */
export const chunkOf = (number: number, rows: readonly LedgerRow[]): Chunk => {
  const bytes = Buffer.alloc(rows.length * chunkRowBytes)
  let at = 0
  for (const row of rows) {
    at = bytes.writeUInt32LE(row.index, at)
    for (const name of names) {
      at =
        ledgerColumns[name] === Float64Array ? bytes.writeDoubleLE(row[name], at) : bytes.writeUInt16LE(row[name], at)
    }
  }
  return { number, bytes, crc: crc32(bytes) }
}

/** Whether a chunk came as it was sent. */
export const isIntact = ({ bytes, crc }: Pick<Chunk, 'bytes' | 'crc'>): boolean =>
  bytes.length % chunkRowBytes === 0 && crc32(bytes) === crc

/** Calls with each row of a chunk: its index, and where its cells begin. */
export const eachRow = ({ bytes }: Pick<Chunk, 'bytes'>, call: (index: number, at: number) => void): void => {
  for (let at = 0; at < bytes.length; at += chunkRowBytes) call(bytes.readUInt32LE(at), at + indexBytes)
}

type Columns = { readonly [Name in ColumnName]: InstanceType<(typeof ledgerColumns)[Name]> }

/** Writes the cells of a row, which begin `at` a byte of the chunk, into columns. */
export const writeCells = ({ bytes }: Pick<Chunk, 'bytes'>, at: number, columns: Columns, row: number): void => {
  let from = at
  for (const name of names) {
    const isDouble = ledgerColumns[name] === Float64Array
    columns[name][row] = isDouble ? bytes.readDoubleLE(from) : bytes.readUInt16LE(from)
    from += isDouble ? 8 : 2
  }
}
