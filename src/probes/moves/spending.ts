import type { KeyFacts } from '../probe.js'

/** Connections over which a key is spent: so many requests at once show a count that is checked before it is raised. */
export const spendingConnections = 20

/** Spends a key for certain: its limit, a twentieth for a bucket that refills meanwhile (3 s of a minute), and two. */
export const amountToSpend = (limit: number): number => limit + Math.ceil(limit / 20) + 2

/** What spends it on a short day. */
export const leastToSpend = (limit: number): number => limit + 2

/** Requests beyond the limit that show an extra admission on a short day: one admitted, and two refused. */
export const leastBeyondLimit = 3

/** No bucket is emptied at any price: so many limits are sent at most. */
const mostLimits = 5

/**
 * What a key is sent that a shorter quota holds to a pace, until it is refused: a bucket gets part of it back meanwhile.
 * Of 40 in 12 s, at 54 in 12 s, that is 40 x 54 / (54 - 40) = 155, and a few more. 0 where no pace is kept.
 */
export const amountInPace = ({ quota: { limit }, mostPerWindow }: KeyFacts): number => {
  if (mostPerWindow === undefined) return 0
  const beyond = mostPerWindow - limit
  const emptied = beyond > 0 ? (limit * mostPerWindow) / beyond : Number.POSITIVE_INFINITY
  return Math.ceil(Math.min(emptied, mostLimits * limit)) + leastBeyondLimit
}

/** For how many windows that goes on; 0 where no pace is kept. */
export const windowsInPace = (key: KeyFacts): number => amountInPace(key) / (key.mostPerWindow ?? 1)
