import type { Clock } from '../../src/kit/clock.js'
import { seededRandom } from '../../src/kit/random.js'

/** How long the pieces of one connection wait before they go on, in milliseconds. Their order stays as it was. */
export interface Passage {
  requestWaitMs(): number
  answerWaitMs(): number
}

/** Opens the passage of one more connection. */
export type OpenPassage = () => Passage

/** A way that takes `minMs` to `maxMs` there and back, half of it in each direction. */
export const delaying = (seed: number, minMs: number, maxMs: number): OpenPassage => {
  const random = seededRandom(seed)
  const halfMs = () => (minMs + random.float() * (maxMs - minMs)) / 2
  return () => ({ requestWaitMs: halfMs, answerWaitMs: halfMs })
}

/**
 * Lets so many requests through in a second, over all connections, in order of arrival. The first piece after an answer
 * waits for its turn, and the next ones go with it: a request takes one turn, however many pieces it comes in.
 */
export const queueing = (perSecond: number, clock: Pick<Clock, 'monotonicMs'>): OpenPassage => {
  let freeAtMs = Number.NEGATIVE_INFINITY
  const turnInMs = () => {
    const nowMs = clock.monotonicMs()
    const turnMs = Math.max(nowMs, freeAtMs)
    freeAtMs = turnMs + 1000 / perSecond
    return turnMs - nowMs
  }
  return () => {
    let asking = false
    return {
      requestWaitMs() {
        if (asking) return 0
        asking = true
        return turnInMs()
      },
      answerWaitMs() {
        asking = false
        return 0
      },
    }
  }
}
