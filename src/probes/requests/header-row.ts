import { z } from 'zod'
import { defineProbe, type KeyFacts } from '../probe.js'

/** By so much a bucket's Remaining falls over the row: two units are rounding, and as many an answer that takes long. */
const leastFall = 5
const mostInPace = 50

/**
 * The requests of a row on a key that a shorter quota holds to a pace, at which a bucket gets back nearly as much: at 54
 * in a window of which 40 come back, 21. No more than half the limit.
 */
const rowOf = ({ quota: { limit }, mostPerWindow }: KeyFacts, requests: number): number => {
  if (mostPerWindow === undefined) return requests
  const fallEach = Math.max(1 - limit / mostPerWindow, leastFall / mostInPace)
  return Math.max(requests, Math.min(Math.ceil(leastFall / fallEach) + 1, Math.floor(limit / 2)))
}

/** Requests in a row on one key, one after the other: Remaining has to follow them (RATE-4). */
export const headerRow = defineProbe({
  id: 'header-row',
  summary: 'Sends requests one after the other, so that Remaining has to count down.',
  played: 'each-plan',
  settings: z.strictObject({
    requests: z.int().min(3).max(50).default(8).describe('How many requests, one after the other.'),
  }),
  cost: (key, { requests }) => ({ keyed: rowOf(key, requests) }),
  async play(context, { requests }) {
    const row = rowOf(context.key, requests)
    for (let i = 0; i < row; i += 1) await context.ask({ step: 'row', ...context.ordinary })
  },
})
