import { describe, expect, it } from 'vitest'
import { type LimiterSettings, limiters } from '../../certificate/limiters.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { seededRandom } from '../../kit/random.js'
import type { History } from '../../readings/history.js'
import { judgeQuota } from '../judge-quota.js'
import { firstDiagnosis } from '../testing/first-diagnosis.js'
import { historyOf } from '../testing/made-history.js'
import { simulate } from '../testing/simulation.js'
import { trafficOf } from '../testing/traffic.js'
import type { DefectId } from './diagnosis.js'

const shop: QuotaWindow = { limit: 2, windowMs: 1000, burst: 40 }

/** Bursts, probes and an overload that fit the bucket, against one with these settings. */
const played = (settings: Partial<LimiterSettings>, model: keyof typeof limiters = 'token-bucket'): History => {
  const random = seededRandom(1)
  const limiter = limiters[model]({ limit: 2, windowMs: 1000, burst: 40, epochOffsetMs: 0, random, ...settings })
  const lanes = trafficOf(['burstAndProbe', 'split', 'sequence', 'overload', 'deepBurst'], 40, 20_000, 1_000)
  const [events] = simulate([{ lanes, limiter }], { roundTripMs: () => 1 + random.float(), lossRate: 0, random })
  return historyOf(events, { clockErrorMs: 2 })
}

const cases: readonly [string, History, QuotaWindow, DefectId, Record<string, unknown>][] = [
  ['one fewer at once', played({ burst: 39 }), shop, 'limit-lower-by-one', { limit: 39 }],
  ['one more at once', played({ burst: 41 }), shop, 'limit-higher-by-one', { limit: 41 }],
  [
    'one more at once, of a bucket whose size is not said',
    played({ limit: 40, windowMs: 20_000, burst: 41 }),
    { limit: 40, windowMs: 20_000, models: ['token-bucket', 'gcra'] },
    'limit-higher-by-one',
    { limit: 41 },
  ],
  [
    'one more at once, of a bucket that fills as soon',
    played({ limit: 41, windowMs: 20_000, burst: 41 }),
    shop,
    'limit-higher-by-one',
    { limit: 41 },
  ],
  [
    'another bucket that fills as soon',
    played({ limit: 48, windowMs: 20_000, burst: 48 }),
    shop,
    'other-burst',
    { burst: 48 },
  ],
  [
    'another bucket, where its size is not said',
    played({ limit: 40, windowMs: 20_000, burst: 50 }),
    { limit: 40, windowMs: 20_000, models: ['token-bucket', 'gcra'] },
    'other-burst',
    { burst: 50 },
  ],
  ['another bucket', played({ burst: 60 }), shop, 'other-burst', { burst: 60 }],
  ['another rate', played({ limit: 4 }), shop, 'window-shorter', { windowMs: 500 }],
  ['a bucket and a rate of half the size', played({ limit: 1, burst: 20 }), shop, 'requests-count-twice', {}],
  ['three nodes', played({ limit: 6, burst: 120 }), shop, 'nodes-count-alone', { nodes: 3 }],
  [
    'a limiter that the contract does not admit',
    played({ limit: 40, windowMs: 20_000 }, 'sliding-log'),
    { limit: 40, windowMs: 20_000, models: ['fixed-window', 'token-bucket'] },
    'other-model',
    { model: 'sliding-log' },
  ],
]

describe('what a quota with a bucket of its own, or few admitted limiters, looks like when it is broken', () => {
  it.each(cases)('is named: %s', (_, history, window, id, facts) => {
    expect(judgeQuota(history, window).verdict).toBe('fail')
    expect(firstDiagnosis(history, window)).toMatchObject({ id, facts })
  })

  it('is named for a quota with a tolerance too', () => {
    const window = { ...shop, exact: { over: 0.05, early: null } }
    expect(judgeQuota(played({ burst: 60 }), window)).toMatchObject({ side: 'over-admission' })
    expect(firstDiagnosis(played({ burst: 60 }), window)).toMatchObject({ id: 'other-burst' })
  })
})
