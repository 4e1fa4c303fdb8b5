import type { AlgorithmName } from './algorithm-names.js'
import { fixedWindow } from './fixed-window.js'
import { fixedWindowFirstRequest } from './fixed-window-first-request.js'
import { gcra } from './gcra.js'
import { intervalRefill } from './interval-refill.js'
import { intervalRefillIdle } from './interval-refill-idle.js'
import type { Allowance } from './limiter.js'
import { type Meter, meterOf } from './meter.js'
import { slidingCounter } from './sliding-counter.js'
import { slidingLog } from './sliding-log.js'
import { tokenBucket } from './token-bucket.js'

/** Starts a meter for an allowance. */
export type OpenMeter = (allowance: Allowance, nowMs: number) => Meter

/** How each algorithm starts a meter. */
export const algorithms: Readonly<Record<AlgorithmName, OpenMeter>> = {
  'fixed-window': (allowance, nowMs) => meterOf(fixedWindow(allowance), nowMs),
  'fixed-window-first-request': (allowance, nowMs) => meterOf(fixedWindowFirstRequest(allowance), nowMs),
  'sliding-log': (allowance, nowMs) => meterOf(slidingLog(allowance), nowMs),
  'sliding-counter': (allowance, nowMs) => meterOf(slidingCounter(allowance), nowMs),
  'token-bucket': (allowance, nowMs) => meterOf(tokenBucket(allowance), nowMs),
  gcra: (allowance, nowMs) => meterOf(gcra(allowance), nowMs),
  'interval-refill': (allowance, nowMs) => meterOf(intervalRefill(allowance), nowMs),
  'interval-refill-idle': (allowance, nowMs) => meterOf(intervalRefillIdle(allowance), nowMs),
}
