/** Connections over which a key is spent: so many requests at once show a count that is checked before it is raised. */
export const spendingConnections = 20

/** Spends a key for certain: its limit, a twentieth for a bucket that refills meanwhile (3 s of a minute), and two. */
export const amountToSpend = (limit: number): number => limit + Math.ceil(limit / 20) + 2

/** What spends it on a short day. */
export const leastToSpend = (limit: number): number => limit + 2

/** Requests beyond the limit that show an extra admission on a short day: one admitted, and two refused. */
export const leastBeyondLimit = 3
