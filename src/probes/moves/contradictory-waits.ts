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
 * Whether some refusal of a load named a shorter wait than one that was answered before it was asked, and than one that
 * was asked after its answer. While time passes a wait shrinks; it does not shrink and grow again, unless some of
 * them are wrong, or longer than they need be.
 */
export const waitsContradict = (rows: LedgerRows): boolean => {
  const { sentUs, receivedUs, retryAfter } = rows
  const asked = namedWaits(rows)
  const answered = asked.toSorted((a, b) => receivedUs[a] - receivedUs[b])
  const isBelow = new Set<number>()
  let [longest, shortestBelow] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  let heard = 0
  for (const row of asked) {
    for (; receivedUs[answered[heard]] <= sentUs[row]; heard += 1) {
      longest = Math.max(longest, retryAfter[answered[heard]])
      if (isBelow.has(answered[heard])) shortestBelow = Math.min(shortestBelow, retryAfter[answered[heard]])
    }
    if (retryAfter[row] > shortestBelow) return true
    if (retryAfter[row] < longest) isBelow.add(row)
  }
  return false
}
