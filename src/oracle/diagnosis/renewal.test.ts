import { expect, it } from 'vitest'
import type { Limiter } from '../../certificate/limiters.js'
import { seededRandom } from '../../kit/random.js'
import { judgeQuota } from '../judge-quota.js'
import { firstDiagnosis } from '../testing/first-diagnosis.js'
import { historyOf } from '../testing/made-history.js'
import { simulate } from '../testing/simulation.js'
import { trafficOf } from '../testing/traffic.js'
import { explainedByRenewal } from './defect-fits.js'

const window = { limit: 60, windowMs: 6_000 }

/** Windows whose end a request of that kind moves to a window from then. */
const renewing = (by: 'refused' | 'admitted'): Limiter => {
  let [endMs, used] = [Number.NEGATIVE_INFINITY, 0]
  return {
    decide(now) {
      if (now >= endMs) [endMs, used] = [now + window.windowMs, 0]
      const admitted = used < window.limit
      if (admitted) used += 1
      if (admitted === (by === 'admitted')) endMs = now + window.windowMs
      return admitted
    },
  }
}

/** The first request of each window is not counted; the window begins with the next one. */
const firstOfEachIsFree = (): Limiter => {
  let [endMs, freeUntilMs, used] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  return {
    decide(now) {
      if (now >= endMs && now >= freeUntilMs) {
        freeUntilMs = now + window.windowMs
        return true
      }
      if (now >= endMs) [endMs, used] = [now + window.windowMs, 0]
      if (used < window.limit) used += 1
      else return false
      return true
    },
  }
}

const played = (limiter: Limiter, seed: number) => {
  const random = seededRandom(seed)
  const lanes = trafficOf(['burstAndProbe', 'split', 'boundary', 'coldStart', 'steady'], 60, 6_000, 1_000)
  const [events] = simulate([{ lanes, limiter }], { roundTripMs: () => 40 * random.float(), lossRate: 0, random })
  return historyOf(events, { clockErrorMs: 2, priorUntilMs: 1_000 })
}

it.each([1, 2, 3])(
  'windows that refused, or served, requests renew explain what such a limiter did (seed %i)',
  (seed) => {
    for (const by of ['refused', 'admitted'] as const) {
      expect(explainedByRenewal(played(renewing(by), seed), window, by)).toBe(true)
    }
    expect(explainedByRenewal(played(renewing('refused'), seed), window, 'admitted')).toBe(false)
  },
)

it.each([1, 2, 3])('a first request that is free in each window is named, not only in the first (seed %i)', (seed) => {
  const history = played(firstOfEachIsFree(), seed)
  expect(judgeQuota(history, window).verdict).toBe('fail')
  expect(firstDiagnosis(history, window)).toMatchObject({ id: 'first-request-free', facts: {} })
})
