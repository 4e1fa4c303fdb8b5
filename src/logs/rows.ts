export const nobody = 255
/** Where lines do not say what was asked for: whatever a quota counts. */
export const anything = 254

/** Requests as columns: what a log tells of each, in 31 bytes. Times are milliseconds since 1970. */
export type Rows = ReturnType<typeof emptyRows>

/** Columns with room for so many requests. */
export const emptyRows = (capacity: number) => ({
  size: 0,
  /** The earliest and the latest moment at which it can have been decided. */
  sentMs: new Float64Array(capacity),
  receivedMs: new Float64Array(capacity),
  /** Who asked, by a number: of the key, and of the address. */
  key: new Uint32Array(capacity),
  address: new Uint32Array(capacity),
  /** The credential of the contract that it is of, by its place; {@link nobody} where the log does not say. */
  plan: new Uint8Array(capacity),
  /** The request of the contract that it is, by its place; {@link nobody} where it is none. */
  request: new Uint8Array(capacity),
  status: new Uint16Array(capacity),
  file: new Uint16Array(capacity),
  line: new Uint32Array(capacity),
})

/** Keeps only the rows that `isKept`, in their order. */
export const keepRows = (rows: Rows, isKept: (row: number) => boolean): void => {
  const { size: _, ...columns } = rows
  const all = Object.values(columns)
  let kept = 0
  for (let row = 0; row < rows.size; row += 1) {
    if (!isKept(row)) continue
    if (kept !== row) for (const column of all) column[kept] = column[row]
    kept += 1
  }
  rows.size = kept
}
