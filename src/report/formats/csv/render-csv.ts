import { csvLine, numberCell, textCell } from './csv-text.js'
import type { LoadRequest } from './load-request.js'

const optional = (text: string | null): string => (text === null ? '' : textCell(text))

/** Each column with its cell, in order. */
const columns: readonly (readonly [string, (row: LoadRequest) => string])[] = [
  ['ledger', (row) => textCell(row.ledger)],
  ['row', (row) => numberCell(row.row)],
  ['probe', (row) => textCell(row.probe)],
  ['key', (row) => optional(row.key)],
  ['operation', (row) => optional(row.operation)],
  ['quota', (row) => optional(row.quota)],
  ['phase', (row) => optional(row.phase)],
  ['sent_at', (row) => optional(row.sentAt)],
  ['planned_ms', (row) => numberCell(row.plannedMs)],
  ['sent_ms', (row) => numberCell(row.sentMs)],
  ['received_ms', (row) => numberCell(row.receivedMs)],
  ['latency_ms', (row) => numberCell(row.latencyMs)],
  ['status', (row) => numberCell(row.status)],
  ['limit', (row) => numberCell(row.limit)],
  ['remaining', (row) => numberCell(row.remaining)],
  ['reset', (row) => numberCell(row.reset)],
  ['retry_after', (row) => numberCell(row.retryAfter)],
  ['connection', (row) => numberCell(row.connection)],
  ['flags', (row) => textCell(row.flags.join(' '))],
]

/** As many rows as one piece of text holds: a load may have a million, which no text has room for at once. */
const rowsAPiece = 2_000

/**
 * Requests as CSV (RFC 4180, UTF-8) in pieces: a line of names, then a line for each. Where a text would be a formula
 * for a spreadsheet it stands behind an apostrophe; a number is a number.
 */
export function* renderCsv(requests: Iterable<LoadRequest>): Generator<string> {
  let piece = csvLine(columns.map(([name]) => name))
  let rows = 0
  for (const request of requests) {
    piece += csvLine(columns.map(([, cell]) => cell(request)))
    rows += 1
    if (rows % rowsAPiece !== 0) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
