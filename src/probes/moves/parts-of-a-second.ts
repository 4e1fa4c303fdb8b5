import { secondMs, secondsMatterMs } from '../../contract/whole-seconds.js'
import type { Exchange } from '../../evidence/exchange.js'
import type { ProbeContext } from '../probe.js'
import { askGently } from './gentle.js'

/**
 * Refusals are read in four parts of a second, for waits that are cut off or rounded to the nearest second are too
 * short in some parts only. A wait of 3.6 s that is named as 3 is too short; one of 4.0 s, 0.4 s earlier, is named as 4
 * and is not.
 */
const parts = 4
const partMs = secondMs / parts

/** Requests in each part at most, until one is refused: a bucket has given something back, 8 s of 60 a minute. */
export const mostAskedInPart = 8

/** The most requests that {@link askInParts} sends. */
export const partsCost = (parts + 1) * mostAskedInPart

/** Asks at the moment until a refusal comes; the last answer, where none does. */
export const refusalAt = async (context: ProbeContext<'gentle'>, at: number): Promise<Exchange> => {
  let last = await askGently(context, at)
  for (let asked = 1; asked < mostAskedInPart && last.response?.status === 200; asked += 1) {
    last = await askGently(context, at)
  }
  return last
}

/**
 * Asks a spent key in each part of a second, and once more in the part whose refusal named the earliest moment: that
 * wait is the likeliest to be too short. Resolves to the last answer.
 */
export const askInParts = async (context: ProbeContext<'gentle'>, at: number): Promise<Exchange> => {
  if (context.minuteMs < secondsMatterMs) return refusalAt(context, at)
  const from = Math.max(at, context.now())
  let [soonest, soonestPart] = [Number.POSITIVE_INFINITY, 0]
  for (let part = 0; part < parts; part += 1) {
    const { retryAt } = context.hintsOf(await refusalAt(context, from + part * partMs))
    if (retryAt !== undefined && retryAt < soonest) [soonest, soonestPart] = [retryAt, part]
  }
  return refusalAt(context, from + secondMs + soonestPart * partMs)
}
