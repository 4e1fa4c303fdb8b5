import type { ModelName } from '../../src/contract/limiter-models.js'
import { systemClock } from '../../src/kit/clock.js'
import type { ScriptClient } from '../stores/compare-and-set.js'
import { redisStore } from '../stores/redis-store.js'
import type { SharedStore } from '../stores/store.js'

/** A store on Redis that takes the time from its caller, and fails the test if Redis does not answer. */
export const givenTimeStore = (
  client: ScriptClient,
  algorithmOf: (windowName: string) => ModelName,
  prefix: string,
): SharedStore =>
  redisStore(
    client,
    { scope: 'test', algorithmOf },
    {
      prefix,
      failure: 'closed',
      timeoutMs: 30_000,
      // The test's time runs faster than that of Redis, so nothing may expire meanwhile.
      slackMs: 3_600_000,
      time: 'given',
      clock: systemClock,
      onChange(reason) {
        throw new Error(reason)
      },
      close: () => {},
    },
  )
