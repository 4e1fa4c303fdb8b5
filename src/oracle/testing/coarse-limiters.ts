import type { Limiter, MakeLimiter } from '../../certificate/limiters.js'

/**
 * A leaky bucket in whole numbers, as nginx's limit_req has it: the time in milliseconds, the rate and what is in the
 * bucket in thousandths of a request, and every division cut off.
 */
export const inThousandths: MakeLimiter = ({ limit, windowMs, burst = limit }) => {
  const perSecond = Math.floor((limit * 1_000_000) / windowMs + 1e-6)
  let [excess, last] = [Number.NaN, Number.NaN]
  return {
    decide(now) {
      const at = Math.floor(now)
      const since = Math.floor((perSecond * (at - last)) / 1000)
      const next = Number.isNaN(last) ? 0 : Math.max(0, excess - since + 1000)
      if (next > (burst - 1) * 1000) return false
      ;[excess, last] = [next, at]
      return true
    },
  }
}

/** The same limiter behind a clock that shows whole milliseconds. */
export const onWholeMilliseconds = (limiter: Limiter): Limiter => ({
  decide: (now, cost) => limiter.decide(Math.floor(now), cost),
})
