import { type LimiterSettings, limiters } from '../../certificate/limiters.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { seededRandom } from '../../kit/random.js'
import { inexactHistory, inUnits, type QuotaHistory } from './quota-histories.js'
import { nearNetwork, runPhases } from './scenarios.js'
import { simulate } from './simulation.js'
import { trafficOf } from './traffic.js'

/** A quota, and the limiter that is supposed to keep it; the loads fit the bucket. */
interface Broken {
  readonly window: QuotaWindow
  readonly limiter: Partial<LimiterSettings>
  /** What requests may cost; the limiter counts each as one if `costsIgnored`. */
  readonly costs?: readonly number[]
  readonly costsIgnored?: boolean
}

const shop: QuotaWindow = { limit: 2, windowMs: 1000, burst: 40 }
const paced: QuotaWindow = { limit: 60, windowMs: 60_000, burst: 1 }
const points: QuotaWindow = { limit: 300, windowMs: 6000, models: ['sliding-log', 'token-bucket', 'gcra'] }

const broken = {
  '40 and 2 a second: 39 at once': { window: shop, limiter: { burst: 39 } },
  '40 and 2 a second: 41 at once': { window: shop, limiter: { burst: 41 } },
  '40 and 2 a second: 2.2 a second': { window: shop, limiter: { limit: 2.2 } },
  '40 and 2 a second: 1.9 a second': { window: shop, limiter: { limit: 1.9 } },
  'one each second: two at once': { window: paced, limiter: { burst: 2 } },
  'one each second: one in 1.05 s': { window: paced, limiter: { windowMs: 63_000 } },
  'one each second: one in 0.95 s': { window: paced, limiter: { windowMs: 57_000 } },
  'costs of 1 and 5: each counts 1': { window: points, limiter: {}, costs: [1, 1, 5], costsIgnored: true },
  'costs of 1 and 5: 290 of 300': { window: points, limiter: { limit: 290 }, costs: [1, 1, 5] },
  'costs of 1 and 5: 310 of 300': { window: points, limiter: { limit: 310 }, costs: [1, 1, 5] },
} as const satisfies Record<string, Broken>

const inexact = {
  '5 %: 8 % over': 0.08,
  '5 %: 8 % early': -0.08,
  '5 %: 4 % over': 0.04,
  '5 %: 4 % early': -0.04,
} as const

/** Broken limiters of quotas with a bucket size, costs or tolerances; those 4 % off are within their tolerance. */
export const quotaDefects = [...Object.keys(broken), ...Object.keys(inexact)] as QuotaDefect[]
export type QuotaDefect = keyof typeof broken | keyof typeof inexact

/** All phases of a run against such a limiter. */
export const brokenQuotaHistory = (defect: QuotaDefect, roundTripMs: number, seed: number): QuotaHistory => {
  if (defect in inexact) return inexactHistory(inexact[defect as keyof typeof inexact], 0.05, roundTripMs, seed)
  const { window, limiter: settings, costs, costsIgnored }: Broken = broken[defect as keyof typeof broken]
  const random = seededRandom(seed)
  const { limit, windowMs, burst } = window
  const fullMs = burst === undefined ? windowMs : (burst * windowMs) / limit
  const epochOffsetMs = 1_790_000_000_000 + windowMs * random.float()
  const honest = { limit, windowMs, burst, epochOffsetMs, random }
  const made = limiters[costs ? 'sliding-log' : 'token-bucket']({ ...honest, ...settings })
  const limiter = costsIgnored ? { decide: (now: number) => made.decide(now) } : made
  const requests = Math.max(2, Math.ceil((burst ?? limit) / (costs ? 2 : 1)))
  const lanes = trafficOf(runPhases, requests, fullMs, random.float() * fullMs)
  const [events] = simulate([{ lanes, limiter }], {
    ...nearNetwork(roundTripMs, random),
    ...(costs ? { cost: () => random.pick(costs) } : {}),
  })
  const history = inUnits(events, burst ?? limit, { clockErrorMs: 1.5 + 1e-4 * windowMs })
  return { history, window }
}
