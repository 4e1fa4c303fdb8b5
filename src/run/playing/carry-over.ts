import type { Exchange } from '../../evidence/exchange.js'
import type { LedgerRows } from '../../evidence/ledger.js'
import type { LimitHints } from '../../probes/probe.js'

/** A sliding log returns nothing earlier than this, in windows after the key's first request. */
const beforeLog = 0.95

/**
 * Watches whether a limiter still counts requests from more than a window ago, as a sliding counter does. This decides
 * only how long a key stays silent, never a verdict.
 *
 * Either a request after a window of silence finds part of the quota spent: 48 of 60 are left. Or the quota returns bit by
 * bit: at most half of what a bucket would have refilled by then, and sooner than a log returns anything. Example: a key
 * of 60 a minute is spent at 0.1 s, refused until 20 s, and then gets 2 requests served.
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

/** Two window ends are further apart than this (in windows), even if windows are half as long as promised. */
const betweenEnds = 0.4

/**
 * Watches whether a key's quota returns bit by bit. Within so short a time at most one window can end, so a key of 60 a
 * minute that is spent at 1 s, 9 s and 20 s, and served in between, has no fixed window. This decides only how a key is
 * asked, never a verdict.
 */
export const watchRefill = (windowMs: number) => {
  let seen = false
  let [spentAt, spentBefore] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return {
    isSeen: () => seen,
    loaded({ length, status, sentUs }: LedgerRows) {
      if (!status.includes(429) || !status.includes(200)) return
      const endedAt = sentUs[length - 1] / 1000
      seen ||= endedAt - spentBefore < betweenEnds * windowMs
      ;[spentBefore, spentAt] = [spentAt, endedAt]
    },
  }
}
