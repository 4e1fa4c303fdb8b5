import type { Departure } from '../behaviour/behaviour.js'
import type { Meter } from '../limiters/limiter.js'
import { fault, faultsOf } from './fault.js'
import { enforces, fixedPlans, metersMinute, opensBucketBy } from './quota-departures.js'
import { addingUpLate, forgetful, readFromCache, withFallback } from './store-meters.js'

/** Counts a fixed plan's minute in a way that opens meters of the kind that there was. */
const countsMinute = (open: (meterAt: (nowMs: number) => Meter, nowMs: number, windowMs: number) => Meter): Departure =>
  metersMinute((before, window, nowMs) => open((atMs) => before.openMeter(window, atMs), nowMs, window.windowMs))

/** Departures of the stores that counts are kept in, and of the nodes that keep them. */
export const storeFaults = faultsOf('QUOTA', {
  'count-read-from-cache': fault('QUOTA-1')(
    'What is left is read from a cache, which is up to a hundredth of a minute old.',
    countsMinute((open, nowMs, windowMs) => readFromCache(open(nowMs), windowMs / 100)),
  ),
  'fallback-store-adds-its-limit': fault('QUOTA-1')(
    'For a third of each half minute the store is out of reach, and a fallback counts from nothing.',
    countsMinute((open, nowMs, windowMs) => withFallback(open, nowMs, windowMs / 2)),
  ),
  'reload-fills-quotas': fault('QUOTA-1')(
    'What was counted is forgotten every three quarters of a minute.',
    countsMinute((open, nowMs, windowMs) => forgetful(open, nowMs, 0.75 * windowMs)),
  ),
  'node-keeps-its-share': fault('QUOTA-2')(
    'Each of four nodes keeps a quarter of the limit, and one of them gets all requests.',
    enforces('minute', fixedPlans, (limit) => Math.ceil(limit / 4)),
  ),
  'nodes-add-up-late': fault('QUOTA-1')(
    'Two nodes take turns, and tell each other every twentieth of a minute what they let in.',
    countsMinute((open, nowMs, windowMs) => addingUpLate(open(nowMs), windowMs / 20)),
  ),
  'blanks-open-bucket': fault('QUOTA-6')(
    'Each number of blanks before the key has a quota of its own.',
    opensBucketBy(({ request }) => / {2,}/.exec(request.headers.authorization ?? '')?.[0] ?? ''),
  ),
})
