import type { Discovered, DiscoveredQuota } from '../../contract/discovered.js'
import { span } from '../../contract/file/measures.js'
import { UsageError } from '../../kit/usage-error.js'

/** What the user knows from the API's documentation. */
export interface Given {
  readonly limit?: number
  readonly window?: string
}

const because = 'as it was given; no answer shows it'

/** Reads the flags. Throws a {@link UsageError} that says what to type instead. */
const read = ({ limit, window }: Given) => {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1)) {
    throw new UsageError(`--limit ${limit}: a whole number of requests, such as 60`)
  }
  const windowMs = window === undefined ? undefined : span.safeParse(window)
  if (windowMs?.success === false) throw new UsageError(`--window ${window}: ${windowMs.error.issues[0].message}`)
  return { limit, windowMs: windowMs?.data }
}

/**
 * Puts what the user knows where no answer shows it: what is shown goes before. Checks the flags at once; the function is
 * for what is found later.
 */
export const givenFor = (given: Given): ((found: Discovered, credentials: readonly string[]) => Discovered) => {
  const { limit, windowMs } = read(given)
  return (found, credentials) => {
    const filled = (quota: DiscoveredQuota): DiscoveredQuota => ({
      ...quota,
      limit:
        quota.limit ??
        (limit === undefined
          ? undefined
          : { is: Object.fromEntries(credentials.map((name) => [name, limit])), because }),
      windowMs: quota.windowMs ?? (windowMs === undefined ? undefined : { is: windowMs, because }),
    })
    return { ...found, quotas: found.quotas.map(filled) }
  }
}
