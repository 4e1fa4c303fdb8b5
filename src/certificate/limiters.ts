import type { ModelName } from '../contract/limiter-models.js'
import type { Random } from '../kit/random.js'

/** A limiter as in a target: it decides at one instant, and counts then or, if it is not atomic, later. */
export interface Limiter {
  decide(nowMs: number, cost?: number): boolean
  /** If present, it counts an admission some time after the decision. */
  commit?(nowMs: number): void
}

export interface LimiterSettings {
  readonly limit: number
  readonly windowMs: number
  /** The target's wall clock less the clock of `nowMs`. */
  readonly epochOffsetMs: number
  readonly random: Random
  /** What a bucket holds, if not the limit. */
  readonly burst?: number
  /** How far the limiter misjudges what is left, drawn for each decision. */
  readonly error?: () => number
  /** Whether windows count what they refuse, as when a limiter adds first and compares afterwards. */
  readonly addsFirst?: boolean
  /** Whether the count of an admission gets lost, drawn for each. */
  readonly loses?: () => boolean
}

export type MakeLimiter = (settings: LimiterSettings) => Limiter

const exactly = () => 0
const never = () => false

/** A count that some event resets to 0. */
const counterOf = ({ limit, error = exactly, addsFirst = false, loses = never }: LimiterSettings) => {
  let count = 0
  return {
    reset() {
      count = 0
    },
    admits(cost: number): boolean {
      const admitted = count + cost <= limit + error()
      if ((admitted || addsFirst) && !loses()) count += cost
      return admitted
    },
  }
}

const gridCounter = (settings: LimiterSettings, windowIndex: (nowMs: number) => number): Limiter => {
  const counter = counterOf(settings)
  let current = Number.NaN
  return {
    decide(nowMs, cost = 1) {
      const index = windowIndex(nowMs)
      if (index !== current) counter.reset()
      current = index
      return counter.admits(cost)
    },
  }
}

const fixedWindow: MakeLimiter = (settings) =>
  gridCounter(settings, (now) => Math.floor((now + settings.epochOffsetMs) / settings.windowMs))

const intervalRefill: MakeLimiter = (settings) => {
  const { windowMs } = settings
  let first = Number.NaN
  return gridCounter(settings, (now) => {
    if (Number.isNaN(first)) first = now
    return Math.floor((now - first) / windowMs)
  })
}

/** Ways in which a store forgets a window that is over: at which instant, given its last admission and its end. */
const forgetting = {
  'W after the last admission': (last: number, _end: number, windowMs: number) => last + windowMs,
  'a while after its end': (_last: number, end: number, windowMs: number) => end + windowMs / 6,
  'at its end': (_last: number, end: number) => end,
  'a few windows after the last admission': (last: number, _end: number, windowMs: number) => last + 2.5 * windowMs,
} as const

const idleRefill: MakeLimiter = (settings) => {
  const { windowMs, random } = settings
  const counter = counterOf(settings)
  const isForgotten = forgetting[random.pick(Object.keys(forgetting) as (keyof typeof forgetting)[])]
  const atRandom = random.float() < 0.3
  let [start, last] = [Number.NaN, Number.NEGATIVE_INFINITY]
  const begin = (at: number) => {
    start = at
    counter.reset()
  }
  return {
    decide(now, cost = 1) {
      const end = start + windowMs * (1 + Math.floor((last - start) / windowMs))
      const gone = atRandom ? now >= end && random.float() < 0.5 : now >= isForgotten(last, end, windowMs)
      if (Number.isNaN(start) || gone) begin(now)
      const passed = Math.floor((now - start) / windowMs)
      if (passed > 0) begin(start + passed * windowMs)
      const admitted = counter.admits(cost)
      if (admitted) last = now
      return admitted
    },
  }
}

const firstRequest: MakeLimiter = (settings) => {
  const counter = counterOf(settings)
  let start = Number.NEGATIVE_INFINITY
  return {
    decide(now, cost = 1) {
      if (now >= start + settings.windowMs) {
        start = now
        counter.reset()
      }
      return counter.admits(cost)
    },
  }
}

const slidingLog: MakeLimiter = ({ limit, windowMs, error = exactly, loses = never }) => {
  const log: number[] = []
  return {
    decide(now, cost = 1) {
      while (log.length > 0 && log[0] <= now - windowMs) log.shift()
      if (log.length + cost > limit + error()) return false
      if (loses()) return true
      for (let unit = 0; unit < cost; unit++) log.push(now)
      return true
    },
  }
}

const slidingCounter: MakeLimiter = ({ limit, windowMs, epochOffsetMs, random, error = exactly, loses = never }) => {
  const round = random.pick([Math.floor, Math.ceil, (x: number) => x])
  const anchor = random.pick(['clock', 'first', 'idle'])
  // A store drops an idle counter two windows after it was written, or after its window began; it may not write refusals.
  const [sinceWritten, writesRefusals] =
    anchor === 'idle'
      ? random.pick([
          [true, false],
          [false, true],
          [false, false],
        ])
      : []
  let kept = { start: anchor === 'clock' ? -epochOffsetMs : Number.NaN, last: 0, count: 0, writtenMs: Number.NaN }
  return {
    decide(now, cost = 1) {
      let { start, last, count } = kept
      const isDropped = anchor === 'idle' && now >= (sinceWritten ? kept.writtenMs : start) + 2 * windowMs
      if (Number.isNaN(start) || isDropped) [start, last, count] = [now, 0, 0]
      const passed = Math.floor((now - start) / windowMs)
      if (passed > 0) [start, last, count] = [start + passed * windowMs, passed === 1 ? count : 0, 0]
      const isAdmitted = round(last * (1 - (now - start) / windowMs)) + count + cost - 1 < limit + error()
      if (isAdmitted && !loses()) count += cost
      if (isAdmitted || writesRefusals) kept = { start, last, count, writtenMs: now }
      return isAdmitted
    },
  }
}

const tokenBucket: MakeLimiter = ({ limit, windowMs, burst = limit, error = exactly, loses = never }) => {
  let [tokens, at] = [burst, Number.NaN]
  return {
    decide(now, cost = 1) {
      if (!Number.isNaN(at)) tokens = Math.min(burst, tokens + ((now - at) * limit) / windowMs)
      at = now
      if (tokens + error() < cost) return false
      if (!loses()) tokens -= cost
      return true
    },
  }
}

const gcra: MakeLimiter = ({ limit, windowMs, burst = limit, error = exactly, loses = never }) => {
  const intervalMs = windowMs / limit
  let arrival = Number.NEGATIVE_INFINITY
  return {
    decide(now, cost = 1) {
      const theoretical = Math.max(arrival, now)
      // The sum of many intervals may differ from the product in its last digits, which must not cost a request.
      if (theoretical - now > (burst + error() - cost) * intervalMs + 1e-6) return false
      if (!loses()) arrival = theoretical + cost * intervalMs
      return true
    },
  }
}

/** The admissible limiters, for replaying a run's requests and for making histories. */
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

/** Sums of fractions differ from a whole token by less than this. */
const roundingError = 1e-6

/** Nodes that count separately, one picked at random for each request. */
export const nodesApart = (each: readonly Limiter[], random: Random): Limiter => ({
  decide: (now, cost) => random.pick(each).decide(now, cost),
})

/** Windows whose count goes up some time after the comparison. */
export const raisedLate =
  (holeMs: number): MakeLimiter =>
  ({ limit, burst = limit, windowMs }) => {
    let [start, count] = [Number.NEGATIVE_INFINITY, 0]
    let pending: number[] = []
    return {
      decide(now, cost = 1) {
        if (now >= start + windowMs) [start, count, pending] = [now, 0, []]
        while (pending.length > 0 && pending[0] <= now) {
          pending.shift()
          count += 1
        }
        if (count + cost > burst) return false
        for (let unit = 0; unit < cost; unit += 1) pending.push(now + holeMs)
        return true
      },
    }
  }

export const filledInLumps =
  (steps: number): MakeLimiter =>
  ({ limit, windowMs, burst = limit, epochOffsetMs }) => {
    const stepMs = windowMs / steps
    let [tokens, filled] = [burst, Number.NaN]
    return {
      decide(now, cost = 1) {
        const step = Math.floor((now + epochOffsetMs) / stepMs)
        if (!Number.isNaN(filled)) tokens = Math.min(burst, tokens + ((step - filled) * limit) / steps)
        filled = step
        if (tokens + roundingError < cost) return false
        tokens -= cost
        return true
      },
    }
  }

export const countingRefusals: MakeLimiter = ({ limit, windowMs }) => {
  const log: number[] = []
  return {
    decide(now) {
      while (log.length > 0 && log[0] <= now - windowMs) log.shift()
      log.push(now)
      return log.length <= limit
    },
  }
}

export const pushedOn =
  (by: 'refused' | 'every'): MakeLimiter =>
  ({ limit, windowMs }) => {
    let [end, count] = [Number.NEGATIVE_INFINITY, 0]
    return {
      decide(now, cost = 1) {
        if (now >= end) [end, count] = [now + windowMs, 0]
        const admitted = count + cost <= limit
        if (admitted) count += cost
        if (by === 'every' || !admitted) end = now + windowMs
        return admitted
      },
    }
  }

export const unlimited: MakeLimiter = () => ({ decide: () => true })
