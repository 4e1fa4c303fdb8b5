import { describe, expect, it } from 'vitest'
import { limiters } from '../../certificate/limiters.js'
import { playedHistory, playedRun } from '../../certificate/testing/played-run.js'
import type { ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { seededRandom } from '../../kit/random.js'
import { judgeQuota } from '../judge-quota.js'
import { defects, type SimulatedDefect } from '../testing/defects.js'
import { firstDiagnosis } from '../testing/first-diagnosis.js'
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

/** A sliding counter whose window is this many times as long as said. */
const slidingBy = (factor: number, quota: QuotaWindow) => {
  const settings = { ...quota, windowMs: quota.windowMs * factor, epochOffsetMs: 1_790_000_001_234 }
  return playedHistory(playedRun(() => limiters['sliding-counter']({ ...settings, random: seededRandom(1) }), quota))
}

describe('the length of a window that explains a history', () => {
  it.each([1, 2, 3, 4])('is not one of which nothing tells the start, for a race (seed %i)', (seed) => {
    expect(effectiveWindowMs(played('check-apart-from-count', seed), window)).toBeNull()
  })

  it.each([1, 2, 3, 4])('is shorter than said where the window is (seed %i)', (seed) => {
    expect(effectiveWindowMs(played('window-shorter', seed), window)).toBeLessThan(6_000)
  })

  const slidingOnly: readonly ModelName[] = ['sliding-counter']
  it.each([
    [0.75, slidingOnly, 'window-shorter'],
    [0.9, slidingOnly, 'window-shorter'],
    [1.1, slidingOnly, 'window-longer'],
    [1.25, slidingOnly, 'window-longer'],
    [0.9, undefined, 'window-shorter'],
    [1.1, undefined, 'window-longer'],
  ] as const)('is %d of that of a sliding counter (admitted: %j), which is a %s', (factor, models, id) => {
    const quota = { limit: 25, windowMs: 4_000, models }
    const history = slidingBy(factor, quota)
    expect(judgeQuota(history, quota).verdict).toBe('fail')
    expect(firstDiagnosis(history, quota)).toEqual({ id, facts: { windowMs: factor * 4_000 } })
  })
})
