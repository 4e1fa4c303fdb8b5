import type { Exchange } from '../../evidence/exchange.js'
import type { LedgerRows } from '../../evidence/ledger.js'
import type { LimitHints } from '../../probes/probe.js'

/** A log gives nothing back before this, in windows after the key's first request. */
const beforeLog = 0.95

/**
 * Follows a key to see whether a limiter still counts what was sent more than a window ago, as a sliding counter does. What
 * is seen decides how long a key is silent, and no verdict.
 *
 * Either a request after a window of silence finds some of the quota spent: 48 of 60 are left. Or the quota comes back bit by
 * bit, after a wait in which a bucket would have got back twice as much at least, and sooner than a log gives anything back:
 * spent at 0.1 s and refused until 20 s, a key of 60 a minute gets 2 requests served.
 */
export const watchCarryOver = (limit: number, windowMs: number) => {
  let seen = false
  let [firstAt, spentAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  return {
    isSeen: () => seen,
    answered(x: Exchange, silentMs: number, { limit: shown, remaining }: Pick<LimitHints, 'limit' | 'remaining'>) {
      firstAt = Math.min(firstAt, x.sentAt)
      if (silentMs < windowMs || x.response?.status !== 200 || shown !== limit) return
      seen ||= remaining !== undefined && remaining < limit - 1
    },
    loaded({ length, status, sentUs }: LedgerRows) {
      if (length === 0) return
      const [startedAt, endedAt] = [sentUs[0] / 1000, sentUs[length - 1] / 1000]
      firstAt = Math.min(firstAt, startedAt)
      const admitted = status.reduce((sum, each) => sum + (each === 200 ? 1 : 0), 0)
      const isRefused = status.includes(429)
      const fromBucket = (limit * (startedAt - spentAt)) / windowMs
      const isTooSoon = endedAt < firstAt + beforeLog * windowMs
      seen ||= isRefused && admitted > 0 && 2 * admitted < fromBucket && isTooSoon
      if (isRefused) spentAt = endedAt
    },
  }
}
