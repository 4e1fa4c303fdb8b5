import {
  columnNames,
  countRows,
  type Ledger,
  type LedgerCounts,
  type LedgerHead,
  type LedgerRows,
  ledgerColumns,
  ledgerHead,
  makeColumns,
} from './ledger.js'

const magic = 'QSLEDGER'
const version = 2
/** How files of version 1 differ: their flags are bytes. */
const columnsOfVersion1 = { ...ledgerColumns, flags: Uint8Array }
const prefixBytes = 24
/** A head with all its samples is far smaller. */
const largestHeadBytes = 16 * 1024 * 1024
const padded = (bytes: number) => Math.ceil(bytes / 8) * 8

const refuseBigEndian = () => {
  if (new Uint8Array(new Uint16Array([1]).buffer)[0] !== 1) throw new Error('a ledger needs a little-endian machine')
}

type ColumnTypes = typeof ledgerColumns | typeof columnsOfVersion1

const columnsBytes = (rows: number, types: ColumnTypes) =>
  columnNames.reduce((sum, name) => sum + padded(rows * types[name].BYTES_PER_ELEMENT), 0)

/** A ledger as the bytes of its file, in the layout of `docs/reference/ledger.md`. */
export const encodeLedger = ({ head, rows }: Ledger): Uint8Array => {
  refuseBigEndian()
  const headBytes = new TextEncoder().encode(JSON.stringify(head))
  if (headBytes.length > largestHeadBytes) throw new Error(`a ledger's head of ${headBytes.length} bytes is too large`)
  const bytes = new Uint8Array(prefixBytes + padded(headBytes.length) + columnsBytes(rows.length, ledgerColumns))
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(magic))
  view.setUint32(8, version, true)
  view.setUint32(12, headBytes.length, true)
  view.setUint32(16, rows.length, true)
  bytes.set(headBytes, prefixBytes)
  let at = prefixBytes + padded(headBytes.length)
  for (const name of columnNames) {
    const column = rows[name]
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += padded(column.byteLength)
  }
  return bytes
}

const readHead = (bytes: Uint8Array): LedgerHead => {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new Error('not a ledger: its head is not JSON', { cause: error })
  }
  const parsed = ledgerHead.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`not a ledger: its head at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`)
}

const refuseImpossible = (rows: LedgerRows, head: LedgerHead) => {
  const { sentUs, receivedUs, status } = rows
  for (let row = 0; row < rows.length; row++) {
    const wrong = (what: string) => new Error(`not a ledger: row ${row} ${what}`)
    if (!Number.isFinite(sentUs[row])) throw wrong('has no sending time')
    if (row > 0 && sentUs[row] < sentUs[row - 1]) throw wrong('was sent before the row above it')
    if (status[row] === 0 ? !Number.isNaN(receivedUs[row]) : !(receivedUs[row] >= sentUs[row]))
      throw wrong('has a status that contradicts its times')
  }
  const outside = head.samples.find((sample) => sample.row >= rows.length)
  if (outside) throw new Error(`not a ledger: a sample names row ${outside.row} of ${rows.length}`)
  const counted = countRows(rows, head.counts.planned)
  const adds = counted.sent === counted.answered + counted.errors + counted.timeouts + counted.lost
  const same = Object.entries(counted).every(([name, count]) => count === head.counts[name as keyof LedgerCounts])
  if (!adds || !same || counted.sent > counted.planned) throw new Error('not a ledger: its counts do not add up')
}

/**
 * The ledger in these bytes. Columns are views on them, not copies (unless they lie at an odd address). Throws an Error that
 * says what is wrong if they are no ledger, or an incomplete one.
 */
export const decodeLedger = (given: Uint8Array): Ledger => {
  refuseBigEndian()
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice()
  if (bytes.length < prefixBytes)
    throw new Error(
      `not a ledger: it has ${bytes.length} bytes, fewer than the ${prefixBytes} with which every ledger begins`,
    )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 8)) !== magic)
    throw new Error(`not a ledger: it does not begin with ${magic}`)
  const written = view.getUint32(8, true)
  if (written !== 1 && written !== version)
    throw new Error(`the ledger has version ${written}, and quotaspec reads versions 1 and ${version}`)
  const types = written === 1 ? columnsOfVersion1 : ledgerColumns
  const headLength = view.getUint32(12, true)
  const length = view.getUint32(16, true)
  if (headLength > largestHeadBytes)
    throw new Error(`not a ledger: byte 12 names a head of ${headLength} bytes, which is too large`)
  const start = prefixBytes + padded(headLength)
  const expected = start + columnsBytes(length, types)
  if (bytes.length !== expected) {
    throw new Error(
      `an incomplete ledger: it has ${bytes.length} bytes, and ${length} rows and their head take ${expected}`,
    )
  }
  const head = readHead(bytes.subarray(prefixBytes, prefixBytes + headLength))
  let at = bytes.byteOffset + start
  const columns = makeColumns((name) => {
    const column = new types[name](bytes.buffer as ArrayBuffer, at, length)
    at += padded(column.byteLength)
    return column instanceof Uint8Array ? Uint16Array.from(column) : column
  })
  const rows = { ...columns, length }
  refuseImpossible(rows, head)
  return { head, rows }
}
