import type { AlgorithmName } from './algorithm-names.js'
import { fixedWindow } from './fixed-window.js'
import { fixedWindowFirstRequest } from './fixed-window-first-request.js'
import { gcra } from './gcra.js'
import { intervalRefill } from './interval-refill.js'
import { intervalRefillIdle } from './interval-refill-idle.js'
import type { Allowance, Limiter } from './limiter.js'
import { type Meter, meterOf, type OpenedMeter } from './meter.js'
import { slidingCounter } from './sliding-counter.js'
import { slidingLog } from './sliding-log.js'
import { tokenBucket } from './token-bucket.js'

/** Starts a meter for an allowance. */
export type OpenMeter = (allowance: Allowance, nowMs: number) => Meter

/** The same, or goes on with the state of an earlier one. */
type ReopenMeter = (allowance: Allowance, nowMs: number, kept?: unknown) => OpenedMeter

const opening =
  <State>(limiter: (allowance: Allowance) => Limiter<State>): ReopenMeter =>
  (allowance, nowMs, kept) =>
    meterOf(limiter(allowance), nowMs, kept)

/** How each algorithm starts a meter. */
export const algorithms: Readonly<Record<AlgorithmName, ReopenMeter>> = {
  'fixed-window': opening(fixedWindow),
  'fixed-window-first-request': opening(fixedWindowFirstRequest),
  'sliding-log': opening(slidingLog),
  'sliding-counter': opening(slidingCounter),
  'token-bucket': opening(tokenBucket),
  gcra: opening(gcra),
  'interval-refill': opening(intervalRefill),
  'interval-refill-idle': opening(intervalRefillIdle),
}
