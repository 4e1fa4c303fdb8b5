import type { Arrival } from '../../evidence/arrivals.js'
import type { Noise } from './noise.js'
import { starvedBetween } from './starved.js'
import type { Refusal } from './story.js'

/** A client that means to come so much too early has to show. */
export const tellingMs = 20
/** So many waits have to be such that it would have shown; half of them where there are few. */
const fewestTelling = 3

/** A wait that was kept: the refusal, and the first that came after its time. */
export interface KeptWait {
  readonly refusal: Refusal
  readonly arrival: Arrival
  /** How late it came. */
  readonly lateMs: number
  /** How early its client may have meant to come, and been held up. */
  readonly concealedMs: number
}

/**
 * How early a client may have meant to come that came when it did: what it was held up by, less what it was late. The
 * wait of one of its threads for a processor, and the time for which the server had not looked, tell that; else the controls, near
 * the refusal and near the arrival.
 */
export const concealedMs = (refusal: Refusal, untilMs: number, arrival: Arrival, noise: Noise): number => {
  const { at, notBefore } = arrival
  const starved = starvedBetween(refusal, arrival)
  const heldUpMs = starved
    ? starved.longestMs + (at - notBefore)
    : noise.mostMs(refusal.answeredAt, refusal.answeredAt) + noise.mostMs(untilMs, at)
  return Math.max(0, heldUpMs - Math.max(0, at - untilMs))
}

/** What waits that were all kept come to: whether coming early would have shown in enough of them. */
export interface NamedWait {
  readonly examined: number
  readonly telling: number
  readonly needed: number
  readonly isProven: boolean
}

/** Counts the waits in which coming twenty milliseconds early would have shown. */
export const toldBy = (kept: readonly KeptWait[]): NamedWait => {
  const telling = kept.filter((each) => each.concealedMs <= tellingMs).length
  const needed = Math.max(1, Math.min(fewestTelling, Math.ceil(kept.length / 2)))
  return { examined: kept.length, telling, needed, isProven: telling >= needed }
}
