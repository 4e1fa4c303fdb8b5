import type { ApiContract } from '../../src/contract/api-contract.js'
import type { ModelName } from '../../src/contract/limiter-models.js'
import { bucketModels } from '../../src/contract/limiter-models.js'
import type { QuotaWindow } from '../../src/contract/plans.js'
import { gcra, tokenBucket } from './buckets.js'
import { type Limiter, meterOf, type OpenedMeter } from './limiter.js'
import { slidingCounter, slidingLog } from './sliding.js'
import { fixedWindow, fixedWindowFirstRequest, intervalRefill, intervalRefillIdle } from './windows.js'

/** Starts a meter, or continues from the state of an earlier one. */
type ReopenMeter = (allowance: QuotaWindow, nowMs: number, kept?: unknown) => OpenedMeter

const opening =
  <State>(limiter: (allowance: QuotaWindow) => Limiter<State>): ReopenMeter =>
  (allowance, nowMs, kept) =>
    meterOf(limiter(allowance), nowMs, kept)

export const algorithms: Readonly<Record<ModelName, ReopenMeter>> = {
  'fixed-window': opening(fixedWindow),
  'fixed-window-first-request': opening(fixedWindowFirstRequest),
  'sliding-log': opening(slidingLog),
  'sliding-counter': opening(slidingCounter),
  'token-bucket': opening(tokenBucket),
  gcra: opening(gcra),
  'interval-refill': opening(intervalRefill),
  'interval-refill-idle': opening(intervalRefillIdle),
}

export const algorithmNames = Object.keys(algorithms) as readonly ModelName[]

/** The most at once, if the limiter has a bucket. */
export const capacityOf = ({ quotas }: ApiContract, id: string, limiter: ModelName): number | undefined =>
  bucketModels.includes(limiter) ? quotas.find((quota) => quota.id === id)?.burst : undefined
