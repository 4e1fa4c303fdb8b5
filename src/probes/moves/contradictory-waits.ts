import { type LedgerRows, ledgerFlags } from '../../evidence/ledger.js'

/** The rows of refusals that name a wait in the form of the first of them: seconds and dates can't be compared. */
const namedWaits = ({ length, status, retryAfter, flags }: LedgerRows): number[] => {
  const named = Array.from({ length }, (_, row) => row).filter(
    (row) => status[row] === 429 && Number.isFinite(retryAfter[row]),
  )
  const isDate = (row: number) => flags[row] & ledgerFlags.retryAfterIsDate
  return named.filter((row) => isDate(row) === isDate(named[0]))
}

/**
 * Whether the waits of a load may contradict each other: in the order in which they were asked for they shrink and grow
 * again. While time passes a wait shrinks; 6 s, 5 s and 6 s again are three answers that came out of order, or some of
 * them are wrong, or longer than they need be. Which of these, a few more questions tell.
 */
export const waitsMayContradict = (rows: LedgerRows): boolean => {
  let [longest, shortestSince] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const row of namedWaits(rows)) {
    const wait = rows.retryAfter[row]
    if (wait > shortestSince) return true
    if (wait < longest) shortestSince = Math.min(shortestSince, wait)
    longest = Math.max(longest, wait)
  }
  return false
}
