import type { Exchange } from '../../evidence/exchange.js'
import type { ProbeContext } from '../probe.js'
import { askGently } from './gentle.js'

/**
 * Seconds that are cut off, or rounded to the nearest, show in some parts of a second only. Of a wait of 3.6 s that is
 * named as 3 the refusal 0.4 s earlier said 4, which is enough: so refusals are read in four parts of a second.
 */
const parts = 4
const partMs = 1_000 / parts

/** Windows shorter than this have no whole seconds to tell apart. */
const secondsMatterMs = 3_000

/** What a bucket has given back meanwhile is spent first: so many requests at most in each part. */
const mostAskedInPart = 8

/** The most requests that {@link askInParts} sends. */
export const partsCost = (parts + 1) * mostAskedInPart

/** Asks at the moment until a refusal comes; the last answer, where none does. */
export const refusalAt = async (context: ProbeContext, at: number): Promise<Exchange> => {
  let last = await askGently(context, at)
  for (let asked = 1; asked < mostAskedInPart && last.response?.status === 200; asked += 1) {
    last = await askGently(context, at)
  }
  return last
}

/**
 * Asks a spent key in each part of a second, and once more in the part whose refusal allowed a request the soonest: whoever
 * then waits as told tries the wait that is most likely too short. Gives the last answer.
 */
export const askInParts = async (context: ProbeContext, at: number): Promise<Exchange> => {
  if (context.minuteMs < secondsMatterMs) return refusalAt(context, at)
  const from = Math.max(at, context.now())
  let [soonest, soonestPart] = [Number.POSITIVE_INFINITY, 0]
  for (let part = 0; part < parts; part += 1) {
    const { retryAt } = context.hintsOf(await refusalAt(context, from + part * partMs))
    if (retryAt !== undefined && retryAt < soonest) [soonest, soonestPart] = [retryAt, part]
  }
  return refusalAt(context, from + 1_000 + soonestPart * partMs)
}
