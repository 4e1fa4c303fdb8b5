import type { AlgorithmName } from '../../limiters/algorithm-names.js'
import { decisionLua, prologueLua } from './lua/decision.js'
import { fixedWindowLua } from './lua/fixed-window.js'
import { fixedWindowFirstRequestLua } from './lua/fixed-window-first-request.js'
import { gcraLua } from './lua/gcra.js'
import { intervalRefillLua } from './lua/interval-refill.js'
import { intervalRefillIdleLua } from './lua/interval-refill-idle.js'
import { slidingCounterLua } from './lua/sliding-counter.js'
import { slidingLogLua } from './lua/sliding-log.js'
import { tokenBucketLua } from './lua/token-bucket.js'

const limitersLua: Readonly<Record<AlgorithmName, string>> = {
  'fixed-window': fixedWindowLua,
  'fixed-window-first-request': fixedWindowFirstRequestLua,
  'sliding-log': slidingLogLua,
  'sliding-counter': slidingCounterLua,
  'token-bucket': tokenBucketLua,
  gcra: gcraLua,
  'interval-refill': intervalRefillLua,
  'interval-refill-idle': intervalRefillIdleLua,
}

/**
 * The script that decides about a request, with these algorithms and no others: what a script defines it defines anew
 * each time that it runs.
 */
export const limiterScript = (algorithms: readonly AlgorithmName[]): string =>
  [prologueLua, ...new Set(algorithms.map((algorithm) => limitersLua[algorithm])), decisionLua].join('')
