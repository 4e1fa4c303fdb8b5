import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../kit/random.js'
import { defects, type SimulatedDefect } from '../testing/defects.js'
import { historyOf } from '../testing/made-history.js'
import { simulate } from '../testing/simulation.js'
import { trafficOf } from '../testing/traffic.js'
import { effectiveWindowMs } from './effective-quota.js'

const window = { limit: 60, windowMs: 6_000 }

/** A run as quotaspec plays it, after which nothing is known of what the key did before. */
const played = (defect: SimulatedDefect, seed: number) => {
  const random = seededRandom(seed)
  const limiter = defects[defect]({ ...window, epochOffsetMs: 1_790_000_000_000, random })
  const lanes = trafficOf(['burstAndProbe', 'split', 'coldStart', 'boundary', 'steady', 'overload'], 60, 6_000, 1_000)
  const [events] = simulate([{ lanes, limiter }], { roundTripMs: () => 1 + random.float(), lossRate: 0, random })
  return historyOf(events, { clockErrorMs: 2, priorUntilMs: 1_000 })
}

describe('the length of a window that explains a history', () => {
  it.each([1, 2, 3, 4])('is not one of which nothing tells the start, for a race (seed %i)', (seed) => {
    expect(effectiveWindowMs(played('check-apart-from-count', seed), window)).toBeNull()
  })

  it.each([1, 2, 3, 4])('is shorter than said where the window is (seed %i)', (seed) => {
    expect(effectiveWindowMs(played('window-shorter', seed), window)).toBeLessThan(6_000)
  })
})
