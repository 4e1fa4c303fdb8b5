import type { ModelName } from '../../contract/any/limiter-models.js'
import type { Random } from '../../kit/random.js'

/** A limiter as a target has it: it decides at one instant and counts then or, where it is not atomic, later. */
export interface Limiter {
  decide(nowMs: number): boolean
  /** Where present, it counts an admission some time after the decision. */
  commit?(nowMs: number): void
}

export interface LimiterSettings {
  readonly limit: number
  readonly windowMs: number
  /** The target's wall clock less the clock on which it is asked. */
  readonly epochOffsetMs: number
  readonly random: Random
}

export type MakeLimiter = (settings: LimiterSettings) => Limiter

const gridCounter = (limit: number, windowIndex: (nowMs: number) => number): Limiter => {
  let [current, count] = [Number.NaN, 0]
  return {
    decide(nowMs) {
      const index = windowIndex(nowMs)
      if (index !== current) [current, count] = [index, 0]
      if (count >= limit) return false
      count++
      return true
    },
  }
}

const fixedWindow: MakeLimiter = ({ limit, windowMs, epochOffsetMs }) =>
  gridCounter(limit, (now) => Math.floor((now + epochOffsetMs) / windowMs))

const intervalRefill: MakeLimiter = ({ limit, windowMs }) => {
  let first = Number.NaN
  return gridCounter(limit, (now) => {
    if (Number.isNaN(first)) first = now
    return Math.floor((now - first) / windowMs)
  })
}

/** Ways in which a store forgets a window that is over: at which instant, by its last admission and its end. */
const forgetting = {
  'W after the last admission': (last: number, _end: number, windowMs: number) => last + windowMs,
  'a while after its end': (_last: number, end: number, windowMs: number) => end + windowMs / 6,
  'at its end': (_last: number, end: number) => end,
  'a few windows after the last admission': (last: number, _end: number, windowMs: number) => last + 2.5 * windowMs,
} as const

const idleRefill: MakeLimiter = ({ limit, windowMs, random }) => {
  const isForgotten = forgetting[random.pick(Object.keys(forgetting) as (keyof typeof forgetting)[])]
  const atRandom = random.float() < 0.3
  let [start, last, count] = [Number.NaN, Number.NEGATIVE_INFINITY, 0]
  return {
    decide(now) {
      const end = start + windowMs * (1 + Math.floor((last - start) / windowMs))
      const gone = atRandom ? now >= end && random.float() < 0.5 : now >= isForgotten(last, end, windowMs)
      if (Number.isNaN(start) || gone) [start, count] = [now, 0]
      const passed = Math.floor((now - start) / windowMs)
      if (passed > 0) [start, count] = [start + passed * windowMs, 0]
      if (count >= limit) return false
      ;[last, count] = [now, count + 1]
      return true
    },
  }
}

const firstRequest: MakeLimiter = ({ limit, windowMs }) => {
  let [start, count] = [Number.NEGATIVE_INFINITY, 0]
  return {
    decide(now) {
      if (now >= start + windowMs) [start, count] = [now, 0]
      if (count >= limit) return false
      count++
      return true
    },
  }
}

const slidingLog: MakeLimiter = ({ limit, windowMs }) => {
  const log: number[] = []
  return {
    decide(now) {
      while (log.length > 0 && log[0] <= now - windowMs) log.shift()
      if (log.length >= limit) return false
      log.push(now)
      return true
    },
  }
}

const slidingCounter: MakeLimiter = ({ limit, windowMs, epochOffsetMs, random }) => {
  const round = random.pick([Math.floor, Math.ceil, (x: number) => x])
  const anchor = random.pick(['clock', 'first', 'idle'])
  let [start, last, count] = [anchor === 'clock' ? -epochOffsetMs : Number.NaN, 0, 0]
  return {
    decide(now) {
      if (Number.isNaN(start) || (anchor === 'idle' && now >= start + 2 * windowMs)) [start, last, count] = [now, 0, 0]
      const passed = Math.floor((now - start) / windowMs)
      if (passed > 0) [start, last, count] = [start + passed * windowMs, passed === 1 ? count : 0, 0]
      if (round(last * (1 - (now - start) / windowMs)) + count >= limit) return false
      count++
      return true
    },
  }
}

const tokenBucket: MakeLimiter = ({ limit, windowMs }) => {
  let [tokens, at] = [limit, Number.NaN]
  return {
    decide(now) {
      if (!Number.isNaN(at)) tokens = Math.min(limit, tokens + ((now - at) * limit) / windowMs)
      at = now
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}

const gcra: MakeLimiter = ({ limit, windowMs }) => {
  const intervalMs = windowMs / limit
  let arrival = Number.NEGATIVE_INFINITY
  return {
    decide(now) {
      const theoretical = Math.max(arrival, now)
      // The sum of L - 1 intervals may differ from the product in the last digits, which must not cost a request.
      if (theoretical - now > windowMs - intervalMs + 1e-6) return false
      arrival = theoretical + intervalMs
      return true
    },
  }
}

/** The admissible limiters, written for the tests alone. */
export const limiters: Readonly<Record<ModelName, MakeLimiter>> = {
  'fixed-window': fixedWindow,
  'fixed-window-first-request': firstRequest,
  'interval-refill': intervalRefill,
  'interval-refill-idle': idleRefill,
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'token-bucket': tokenBucket,
  gcra,
}

/** The same limiter behind a clock that shows whole milliseconds. */
export const onWholeMilliseconds = (limiter: Limiter): Limiter => ({ decide: (now) => limiter.decide(Math.floor(now)) })
