import type { Allowance, Limiter } from './limiter.js'

export interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

/** Sums of fractions are off a whole token by less than this. */
const roundingError = 1e-6

/** Refills evenly, the limit in a window's length; a full bucket may be spent at once. */
export const tokenBucket = ({ limit, lengthMs, capacity = limit }: Allowance): Limiter<Bucket> => {
  const perMs = limit / lengthMs
  const refilled = (bucket: Bucket, nowMs: number): Bucket => {
    const atMs = Math.max(bucket.atMs, nowMs)
    return { tokens: Math.min(capacity, bucket.tokens + (atMs - bucket.atMs) * perMs), atMs }
  }
  const whole = (bucket: Bucket, nowMs: number) => Math.floor(refilled(bucket, nowMs).tokens + roundingError)
  const holdsAtMs = (bucket: Bucket, tokens: number) => bucket.atMs + (tokens - bucket.tokens) / perMs
  return {
    start: (nowMs) => ({ tokens: capacity, atMs: nowMs }),
    available: (bucket, nowMs) => Math.max(0, whole(bucket, nowMs)),
    take(bucket, nowMs) {
      const { tokens, atMs } = refilled(bucket, nowMs)
      return { tokens: tokens - 1, atMs }
    },
    refund(bucket, nowMs) {
      const { tokens, atMs } = refilled(bucket, nowMs)
      return { tokens: Math.min(capacity, tokens + 1), atMs }
    },
    resetMs: (bucket, nowMs) => Math.max(nowMs, holdsAtMs(bucket, capacity)),
    admitsAtMs: (bucket, nowMs, cost = 1) => (whole(bucket, nowMs) >= cost ? nowMs : holdsAtMs(bucket, cost)),
    forgetAtMs: (bucket) => holdsAtMs(bucket, capacity),
  }
}
