import { seededRandom } from '../../src/kit/random.js'
import type { LimiterStore } from '../metering/limiter-store.js'
import type { Subject } from '../metering/subject.js'
import type { Variation } from './variation.js'

/** How long a request waits at most until it is decided. */
const latestMs = 120

/** Spends half a minute's quota in each of five minutes, and a quarter of the one in which it is `nowMs`. */
const spendBefore = (store: LimiterStore, subject: Subject, nowMs: number): void => {
  const [{ limit, lengthMs }] = subject.windows
  const spend = (requests: number, minutesAgo: number) => {
    for (let sent = 0; sent < requests; sent += 1) void store.take(subject, nowMs - minutesAgo * lengthMs)
  }
  for (let minutesAgo = 5.4; minutesAgo > 1; minutesAgo -= 1) spend(Math.floor(limit / 2), minutesAgo)
  spend(Math.floor(limit / 4), 0.4)
}

/** When requests are judged, and what was before the first of them. */
export const meteringVariations: readonly Variation[] = [
  {
    id: 'judged-late',
    sentence: 'A request is judged up to 120 ms after it came, a later one perhaps before it.',
    depart(before, { sleep, self }) {
      const random = seededRandom(latestMs)
      return {
        async meter(store, arrival, subject) {
          await sleep(random.float() * latestMs)
          return before.meter(store, { ...arrival, nowMs: self().nowMs() }, subject)
        },
      }
    },
  },
  {
    id: 'key-used-before',
    sentence: 'A Free key has been in use for some minutes when it is first shown.',
    depart(before) {
      const seen = new Set<string>()
      return {
        meter(store, arrival, subject) {
          if (subject.plan === 'free' && !seen.has(subject.id)) {
            seen.add(subject.id)
            spendBefore(store, subject, arrival.nowMs)
          }
          return before.meter(store, arrival, subject)
        },
      }
    },
  },
]
