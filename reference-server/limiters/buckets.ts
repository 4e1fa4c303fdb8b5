import type { QuotaWindow } from '../../src/contract/plans.js'
import type { Limiter } from './limiter.js'

interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

/** Sums of fractions are off a whole token by less than this. */
export const roundingError = 1e-6

/** Refills evenly, at the limit per window; a full bucket may be spent at once. */
export const tokenBucket = ({ limit, windowMs, burst = limit }: QuotaWindow): Limiter<Bucket> => {
  const perMs = limit / windowMs
  const refilled = (bucket: Bucket, nowMs: number): Bucket => {
    const atMs = Math.max(bucket.atMs, nowMs)
    return { tokens: Math.min(burst, bucket.tokens + (atMs - bucket.atMs) * perMs), atMs }
  }
  const whole = (bucket: Bucket, nowMs: number) => Math.floor(refilled(bucket, nowMs).tokens + roundingError)
  const holdsAtMs = (bucket: Bucket, tokens: number) => bucket.atMs + (tokens - bucket.tokens) / perMs
  return {
    start: (nowMs) => ({ tokens: burst, atMs: nowMs }),
    available: (bucket, nowMs) => Math.max(0, whole(bucket, nowMs)),
    take(bucket, nowMs) {
      const { tokens, atMs } = refilled(bucket, nowMs)
      return { tokens: tokens - 1, atMs }
    },
    refund(bucket, nowMs) {
      const { tokens, atMs } = refilled(bucket, nowMs)
      return { tokens: Math.min(burst, tokens + 1), atMs }
    },
    resetMs: (bucket, nowMs) => Math.max(nowMs, holdsAtMs(bucket, burst)),
    admitsAtMs: (bucket, nowMs, cost = 1) => (whole(bucket, nowMs) >= cost ? nowMs : holdsAtMs(bucket, cost)),
    forgetAtMs: (bucket) => holdsAtMs(bucket, burst),
  }
}

/** How far ahead the theoretical arrival time is; kept as a difference, because at 1e12 ms a double is too coarse. */
interface Backlog {
  readonly backlogMs: number
  readonly atMs: number
}

/** Sums of fractions are off a whole request by less than this share. */
const shareOff = 1e-6

/** The generic cell rate algorithm (ITU-T I.371): each request costs an equal share of the window's length. */
export const gcra = ({ limit, windowMs, burst = limit }: QuotaWindow): Limiter<Backlog> => {
  const costMs = windowMs / limit
  const toleranceMs = burst * costMs
  const paid = (state: Backlog, nowMs: number): Backlog => {
    const atMs = Math.max(state.atMs, nowMs)
    return { backlogMs: Math.max(0, state.backlogMs - (atMs - state.atMs)), atMs }
  }
  const fitting = (state: Backlog, nowMs: number) =>
    Math.max(0, Math.floor((toleranceMs - paid(state, nowMs).backlogMs) / costMs + shareOff))
  return {
    start: (nowMs) => ({ backlogMs: 0, atMs: nowMs }),
    available: fitting,
    take(state, nowMs) {
      const { backlogMs, atMs } = paid(state, nowMs)
      return { backlogMs: backlogMs + costMs, atMs }
    },
    refund(state, nowMs) {
      const { backlogMs, atMs } = paid(state, nowMs)
      return { backlogMs: Math.max(0, backlogMs - costMs), atMs }
    },
    resetMs: (state, nowMs) => Math.max(nowMs, state.atMs + state.backlogMs),
    admitsAtMs: (state, nowMs, cost = 1) =>
      fitting(state, nowMs) >= cost ? nowMs : state.atMs + (state.backlogMs - toleranceMs + cost * costMs),
    forgetAtMs: (state) => state.atMs + state.backlogMs,
  }
}
