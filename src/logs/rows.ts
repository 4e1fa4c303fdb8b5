export const nobody = 255
/** For lines that don't say what was requested: any request that a quota counts. */
export const anything = 254

/** Requests as columns, 31 bytes each. Times are milliseconds since 1970. */
export type Rows = ReturnType<typeof emptyRows>

export const emptyRows = (capacity: number) => ({
  size: 0,
  /** The earliest and the latest moment at which it can have been decided. */
  sentMs: new Float64Array(capacity),
  receivedMs: new Float64Array(capacity),
  /** Who asked: the numbers of the key and of the address. */
  key: new Uint32Array(capacity),
  address: new Uint32Array(capacity),
  /** The index of its credential in the contract; {@link nobody} if the log does not say. */
  plan: new Uint8Array(capacity),
  /** The index of its request in the contract; {@link nobody} if it is none. */
  request: new Uint8Array(capacity),
  status: new Uint16Array(capacity),
  file: new Uint16Array(capacity),
  line: new Uint32Array(capacity),
})

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
