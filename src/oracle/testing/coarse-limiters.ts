import type { Limiter, MakeLimiter } from '../../certificate/limiters.js'

/**
 * A leaky bucket in whole numbers, like nginx's limit_req: time in milliseconds, rate and bucket content in thousandths of a
 * request, and every division truncated.
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

/** A limiter behind a clock of whole milliseconds. */
export const onWholeMilliseconds = (limiter: Limiter): Limiter => ({
  decide: (now, cost) => limiter.decide(Math.floor(now), cost),
})
