import { type Limiter, type LimiterSettings, limiters } from '../../certificate/limiters.js'
import type { ModelName } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../contract/plans.js'
import { type Random, seededRandom } from '../../kit/random.js'
import type { History } from '../../readings/history.js'
import { withCosts } from '../costs.js'
import { inThousandths, onWholeMilliseconds } from './coarse-limiters.js'
import { historyOf } from './made-history.js'
import { dayOf, lanesOf, logUniform, nearNetwork, runPhases, spendBefore } from './scenarios.js'
import { type SimulatedEvent, simulate } from './simulation.js'
import { trafficOf } from './traffic.js'

/** What distinguishes a quota from a plain limit per minute: a bucket of another size, costs, a tolerance, or all of these. */
export const quotaKinds = ['burst', 'cost', 'tolerance', 'all'] as const
export type QuotaKind = (typeof quotaKinds)[number]

export interface QuotaHistory {
  readonly history: History
  readonly window: QuotaWindow
}

const has = (kind: QuotaKind, one: QuotaKind): boolean => kind === one || kind === 'all'

/** Whether a model can keep such a quota: only buckets have a capacity of their own. */
export const canKeep = (model: ModelName, kind: QuotaKind): boolean =>
  !has(kind, 'burst') || model === 'token-bucket' || model === 'gcra'

const windowOf = (random: Random, kind: QuotaKind, mostLimit: number): QuotaWindow => {
  const limit = Math.round(logUniform(random, 2, mostLimit))
  const windowMs = random.pick([1000, 60_000, random.int(1000, 60_000), 1000 + 59_000 * random.float()])
  const burst = random.pick([1, 1, 2, random.int(1, 2 * limit), Math.round(logUniform(random, 1, 20 * limit))])
  const shares = [0, 0.02, 0.05, 0.3, null]
  return {
    limit,
    windowMs,
    ...(has(kind, 'burst') ? { burst } : {}),
    ...(has(kind, 'tolerance') ? { exact: { over: random.pick(shares), early: random.pick(shares) } } : {}),
  }
}

/** How far a limiter within its tolerance misjudges: always by the same, or newly drawn for each decision. */
const errorOf = (random: Random, { limit, burst = limit, exact }: QuotaWindow): (() => number) | undefined => {
  if (!exact) return undefined
  // A side that is not promised may be off by any amount.
  const [over, early] = [exact.over ?? 1, exact.early ?? 0.9]
  const draw = () => burst * (random.float() * (over + early) - early)
  const [always, byDecision] = [draw(), random.float() < 0.5]
  // A bucket that misjudges never holds less than one request.
  return () => Math.max(1 - burst, byDecision ? draw() : always)
}

const limiterOf = (model: ModelName, random: Random, settings: LimiterSettings): Limiter => {
  const { windowMs, burst, error } = settings
  const paces = burst !== undefined && error === undefined && (windowMs === 1000 || windowMs === 60_000)
  if (paces && random.float() < 0.5) return inThousandths(settings)
  const bare = limiters[model](settings)
  return random.float() < 0.3 ? onWholeMilliseconds(bare) : bare
}

/** Loads as in a run: they fit the limit and its window, or the bucket. */
const loadsOf = (random: Random, { limit, windowMs, burst }: QuotaWindow, averageCost: number, startMs: number) => {
  if (burst === undefined || random.float() < 0.5)
    return lanesOf(random, Math.max(2, Math.ceil(limit / averageCost)), windowMs, startMs)
  return lanesOf(random, Math.ceil(burst / averageCost) + 1, (burst * windowMs) / limit, startMs)
}

/** A true history of a model that keeps such a quota, within its tolerance if any, from a seed. */
export const trueQuotaHistory = (model: ModelName, seed: number, kind: QuotaKind, mostLimit = 300): QuotaHistory => {
  const random = seededRandom(seed)
  const window = windowOf(random, kind, mostLimit)
  const { limit, windowMs, burst } = window
  const startMs = random.int(0, 100_000) + random.float()
  const epochOffsetMs = 1_790_000_000_000 + random.int(0, 10_000_000) + random.float()
  const costs = random.pick([[1, 1, 5], [1, 2, 3], [2], [1, 10]])
  const mostCost = has(kind, 'cost') && !(has(kind, 'burst') && (burst ?? 0) < 10) ? Math.max(1, burst ?? limit) : 1
  const cost = () => Math.min(mostCost, random.pick(costs))
  const error = has(kind, 'tolerance') ? errorOf(random, window) : undefined
  const addsFirst = has(kind, 'cost') && random.float() < 0.5
  const settings = { limit, windowMs, burst, epochOffsetMs, random, error, addsFirst }
  const costsUnits = mostCost > 1
  const limiter = limiterOf(model, random, costsUnits ? { ...settings, error: error ?? (() => 0) } : settings)
  const isUsed = random.float() < 0.3
  if (isUsed) spendBefore(limiter, random, startMs, limit, windowMs)
  const lanes = loadsOf(random, window, costsUnits ? 2 : 1, startMs)
  const worst = Math.min(logUniform(random, 0.05, 500), windowMs / 2)
  const [events] = simulate([{ lanes, limiter, before: dayOf(random, limit) }], {
    roundTripMs: () => worst * random.float() ** 2,
    lossRate: random.pick([0, 0, 0.05]),
    random,
    ...(costsUnits ? { cost } : {}),
  })
  const blurMs = 1000 * random.float()
  return {
    window,
    history: inUnits(events, burst ?? limit, {
      clockErrorMs: 1,
      priorUntilMs: isUsed ? startMs : undefined,
      targetEpochOffsetMs: random.float() < 0.5 ? { from: epochOffsetMs - blurMs, to: epochOffsetMs + blurMs } : null,
    }),
  }
}

/** Simulated requests as a history in units. */
export const inUnits = (
  events: readonly SimulatedEvent[],
  mostAtOnce: number,
  options: Parameters<typeof historyOf>[1],
): History => {
  const sorted = [...events].sort((a, b) => a.sentMs - b.sentMs)
  const history = historyOf(sorted, options)
  if (sorted.every(({ cost }) => cost === 1)) return history
  return withCosts(
    history,
    Uint16Array.from(sorted, ({ cost }) => cost),
    mostAtOnce,
  ).history
}

const exactBases: readonly ModelName[] = [
  'fixed-window',
  'fixed-window-first-request',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
]

/**
 * All phases of a run against a limiter whose limit is off by a share, if the contract tolerates a share: 0.08 with 0.05
 * tolerated is too many, -0.04 is not too few.
 */
export const inexactHistory = (share: number, tolerated: number, roundTripMs: number, seed: number): QuotaHistory => {
  const random = seededRandom(seed)
  const limit = random.pick([100, 100, 300, 1000])
  const windowMs = 6000
  const epochOffsetMs = 1_790_000_000_000 + windowMs * random.float()
  const settings = { limit: Math.round(limit * (1 + share)), windowMs, epochOffsetMs, random }
  const limiter = limiters[random.pick(exactBases)](settings)
  const lanes = trafficOf(runPhases, limit, windowMs, random.float() * windowMs)
  const [events] = simulate([{ lanes, limiter }], nearNetwork(roundTripMs, random))
  const history = historyOf(events, {
    clockErrorMs: 1 + 1e-4 * windowMs,
    targetEpochOffsetMs: { from: epochOffsetMs - 500, to: epochOffsetMs + 500 },
  })
  return { history, window: { limit, windowMs, exact: { over: tolerated, early: tolerated } } }
}
