import { type History, outcomes } from '../readings/history.js'
import type { Defect, Make } from './defects.js'
import { type Limiter, limiters } from './limiters.js'

/** One count for this key and another one, whose admissions are counted here as well. */
const sharing =
  ({ size, sentMs, outcome }: History): Make =>
  ({ model, settings }) => {
    const inner = limiters[model](settings)
    let next = 0
    const limiter: Limiter = {
      decide(now, cost) {
        for (; next < size && sentMs[next] <= now; next += 1)
          if (outcome[next] === outcomes.admitted) inner.decide(sentMs[next])
        return inner.decide(now, cost)
      },
    }
    return () => limiter
  }

/** What was sent on another key, and the requests that asked whether it holds this one back. */
export interface SpentBeside {
  readonly history: History
  readonly asking: readonly number[]
}

/** A count that is shared with the key of another plan. @param others the other keys, by plan. */
export const sharingDefects = (others: Readonly<Record<string, SpentBeside>>): Defect[] =>
  Object.entries(others).map(([plan, { history, asking }]) => ({
    id: `shares-with-${plan}`,
    words: `a count that is shared with ${plan}`,
    clauses: ['QUOTA-4'],
    of: 'each key',
    how: {
      make: sharing(history),
      isSeenIn: ({ outcome }) => asking.some((row) => outcome[row] === outcomes.refused),
    },
  }))
