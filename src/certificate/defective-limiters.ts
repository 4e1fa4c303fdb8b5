import type { Random } from '../kit/random.js'
import type { Limiter, MakeLimiter } from './limiters.js'

/** Sums of fractions are off a whole token by less than this. */
const roundingError = 1e-6

/** Nodes that count alone, of which chance picks one for each request. */
export const nodesApart = (each: readonly Limiter[], random: Random): Limiter => ({
  decide: (now, cost) => random.pick(each).decide(now, cost),
})

/** Windows whose count is raised some time after it was compared. */
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

/** A bucket that gets its tokens at whole steps, all at once. */
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

/** A log that keeps what it refuses. */
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

/** A window whose end requests of some kind move on. */
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

/** Admits everything. */
export const unlimited: MakeLimiter = () => ({ decide: () => true })
