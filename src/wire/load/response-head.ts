import { type LedgerWriter, ledgerFlags } from '../../evidence/ledger.js'
import { decimalIn } from '../../kit/decimal.js'
import { parseHttpDate } from '../../kit/http-date.js'

/** The number that a decimal stands for, as of single exchanges; Infinity for any other text (`6e1`, `60;w=60`). */
const decimal = (text: string): number => decimalIn(text) ?? Number.POSITIVE_INFINITY

/** The number that plain decimal digits stand for, which is all that Retry-After may be besides a date. */
const plainNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY)

/**
 * Writes what a response's head says of limits into a ledger's row, from the raw list of names and values in turn.
 * Names in any letter case (RFC 9110 §5.1); of a header that comes twice the first counts, and the row is flagged.
 */
export const recordLimits = (ledger: LedgerWriter, row: number, raw: readonly string[]): void => {
  const { columns } = ledger
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const { length } = raw[at]
    // Looking at the length first is far faster, for most headers have another one.
    if (length !== 17 && length !== 21 && length !== 11) continue
    switch (raw[at].toLowerCase()) {
      case 'x-ratelimit-limit':
        keep(ledger, columns.limit, row, decimal(raw[at + 1]))
        break
      case 'x-ratelimit-remaining':
        keep(ledger, columns.remaining, row, decimal(raw[at + 1]))
        break
      case 'x-ratelimit-reset':
        keep(ledger, columns.reset, row, decimal(raw[at + 1]))
        break
      case 'retry-after':
        keepRetryAfter(ledger, row, raw[at + 1])
        break
    }
  }
}

const keep = ({ columns }: LedgerWriter, column: Float64Array, row: number, value: number): void => {
  if (Number.isNaN(column[row])) column[row] = value
  else columns.flags[row] |= ledgerFlags.duplicateHeader
}

const keepRetryAfter = (ledger: LedgerWriter, row: number, text: string): void => {
  const { columns } = ledger
  if (!Number.isNaN(columns.retryAfter[row])) {
    columns.flags[row] |= ledgerFlags.duplicateHeader
    return
  }
  const dateMs = parseHttpDate(text)
  columns.retryAfter[row] = dateMs === undefined ? plainNumber(text) : dateMs / 1000
  if (dateMs !== undefined) columns.flags[row] |= ledgerFlags.retryAfterIsDate
}

/** For how long the target keeps an idle connection, in ms, where its `Keep-Alive: timeout=` says so. */
export const keepAliveMs = (raw: readonly string[]): number | undefined => {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at].length !== 10 || raw[at].toLowerCase() !== 'keep-alive') continue
    const seconds = /(?:^|[,;\s])timeout=(\d{1,6})(?:$|[,;\s])/i.exec(raw[at + 1])?.[1]
    return seconds === undefined ? undefined : Number(seconds) * 1000
  }
  return undefined
}
