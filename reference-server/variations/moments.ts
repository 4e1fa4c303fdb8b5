import { seededRandom } from '../../src/kit/random.js'
import type { Departure } from '../behaviour/behaviour.js'
import type { Variation } from '../faults/fault.js'
import { type Answer, withHeaders } from '../http/answer.js'
import type { LimiterStore } from '../stores/memory-store.js'
import type { Charge } from '../stores/ruling.js'

const hourMs = 3_600_000

const begin = new Date(0).toUTCString()

/** Answers with another Date. The clock that windows and Resets go by is right. */
const dates =
  (as: (answer: Answer, nowMs: number) => Answer): Departure =>
  (_, { self }) => ({ finish: (answer) => as(answer, self().nowMs()) })

/** How long a request waits at most until it is decided. */
const latestMs = 120

/** Spends half a minute's quota in each of five minutes, and a quarter of the one in which it is `nowMs`. */
const spendBefore = (store: LimiterStore, charges: readonly Charge[], nowMs: number): void => {
  const [{ limit, lengthMs }] = charges[0].subject.windows
  const spend = (requests: number, minutesAgo: number) => {
    for (let sent = 0; sent < requests; sent += 1) void store.take(charges, nowMs - minutesAgo * lengthMs)
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
        async meter(store, arrival, charges) {
          await sleep(random.float() * latestMs)
          return before.meter(store, { ...arrival, nowMs: self().nowMs() }, charges)
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
        meter(store, arrival, charges) {
          const [{ subject }] = charges
          if (subject.plan === 'free' && !seen.has(subject.id)) {
            seen.add(subject.id)
            spendBefore(store, charges, arrival.nowMs)
          }
          return before.meter(store, arrival, charges)
        },
      }
    },
  },
]

/** What the Date of an answer says, of which the interface says nothing. */
export const dateVariations: readonly Variation[] = [
  {
    id: 'date-of-1970',
    sentence: 'The Date of each answer is the beginning of 1970.',
    depart: dates((answer) => withHeaders(answer, { Date: begin })),
  },
  {
    id: 'date-jumping',
    sentence: 'The Date jumps by up to two hours, back and forth.',
    depart(before, surroundings) {
      const random = seededRandom(2)
      const jumped = (nowMs: number) => new Date(nowMs + (random.float() * 4 - 2) * hourMs).toUTCString()
      return dates((answer, nowMs) => withHeaders(answer, { Date: jumped(nowMs) }))(before, surroundings)
    },
  },
  {
    id: 'date-of-no-use',
    sentence: 'The Date is absent, no date, and of 1970 in turn.',
    depart(before, surroundings) {
      let answers = 0
      return dates((answer) => {
        answers += 1
        if (answers % 3 === 0) return { ...answer, undated: true }
        return withHeaders(answer, { Date: answers % 3 === 1 ? 'today' : begin })
      })(before, surroundings)
    },
  },
]
