import { attemptsBounded } from './attempts-bounded.js'
import { bearerKey } from './bearer-key.js'
import type { ClientCheck } from './client-check.js'
import { datesKept } from './dates-kept.js'
import { keptAfter503 } from './kept-after-503.js'
import { obsoleteDates } from './obsolete-dates.js'
import { ownWaitsJittered } from './own-waits-jittered.js'
import { unusableWithoutHammering } from './unusable-without-hammering.js'
import { waitsAsTold } from './waits-as-told.js'
import { waitsGrow } from './waits-grow.js'
import { workersSpread } from './workers-spread.js'

/** Every check of a client. */
export const clientChecks: readonly ClientCheck[] = [
  waitsAsTold,
  keptAfter503,
  waitsGrow,
  ownWaitsJittered,
  attemptsBounded,
  workersSpread,
  datesKept,
  obsoleteDates,
  unusableWithoutHammering,
  bearerKey,
]
