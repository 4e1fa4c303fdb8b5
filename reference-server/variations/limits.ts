import { counting } from '../behaviour/departing.js'
import { shared, type Variation } from '../faults/fault.js'
import { algorithms } from '../limiters/algorithms.js'
import { intervalRefillIdle, type KeptMs } from '../limiters/interval-refill.js'
import { type AlgorithmName, algorithmNames, meterOf } from '../limiters/limiter.js'
import { ruled } from '../stores/ruling.js'
import { contractVariations } from './contract-variations.js'

const countingBy = (algorithm: AlgorithmName): Variation => ({
  id: `algorithm-${algorithm}`,
  sentence: `Both windows are counted by ${algorithm}.`,
  depart: () => ({ openMeter: algorithms[algorithm] }),
})

const countingDays = (id: string, sentence: string, algorithm: AlgorithmName): Variation => ({
  id,
  sentence,
  depart: ({ openMeter }, { dayMs }) => ({
    openMeter: (allowance, nowMs) =>
      (allowance.lengthMs === dayMs ? algorithms[algorithm] : openMeter)(allowance, nowMs),
  }),
})

const keeping = (id: string, sentence: string, keptMs: KeptMs): Variation => ({
  id,
  sentence,
  depart: () => ({ openMeter: (allowance, nowMs) => meterOf(intervalRefillIdle(allowance, keptMs), nowMs) }),
})

/** What is counted, and how. */
export const limitVariations: readonly Variation[] = [
  // The one that is left out is what the server counts by where nothing else is said.
  ...algorithmNames.filter((name) => name !== 'fixed-window-first-request').map(countingBy),
  keeping(
    'refill-forgotten-once-full',
    'Interval refill in a store that drops a key a tenth of a window after its quota is whole again.',
    (lengthMs, untilRefillMs) => untilRefillMs + lengthMs / 10,
  ),
  keeping(
    'refill-kept-for-two-windows',
    'Interval refill in a store whose keys expire two windows after the latest admission.',
    (lengthMs) => 2 * lengthMs,
  ),
  countingDays('day-by-calendar', 'The day begins at midnight UTC.', 'fixed-window'),
  countingDays('day-rolling', 'The day is always the last 24 hours.', 'sliding-log'),
  {
    id: 'reset-of-the-next-token',
    sentence: 'A token bucket whose Reset, once nothing is left, names the next token.',
    depart: () => ({
      openMeter(allowance, nowMs) {
        const meter = algorithms['token-bucket'](allowance, nowMs)
        return {
          ...meter,
          resetMs: (atMs) => (meter.available(atMs) === 0 ? meter.admitsAtMs(atMs) : meter.resetMs(atMs)),
        }
      },
    }),
  },
  {
    id: 'reset-of-the-whole-log',
    sentence: 'A sliding log whose Reset lies a whole window ahead: by then all that is in it has run out.',
    depart: () => ({
      openMeter(allowance, nowMs) {
        const meter = algorithms['sliding-log'](allowance, nowMs)
        return { ...meter, resetMs: (atMs) => atMs + allowance.lengthMs }
      },
    }),
  },
  {
    id: 'unauthorized-unmetered',
    sentence: 'What has no valid key is not counted.',
    depart: (before) => ({
      meter: (store, arrival, charges) =>
        arrival.account ? before.meter(store, arrival, charges) : store.peek(charges, arrival.nowMs),
    }),
  },
  {
    id: 'strangers-limited',
    sentence: 'Whoever has no valid key gets 40 requests a minute.',
    depart: counting((subject) =>
      subject.plan ? subject : { ...subject, windows: subject.windows.map((each) => ({ ...each, limit: 40 })) },
    ),
  },
  {
    id: 'client-errors-free',
    sentence: 'A request that gets 400 or 404 is given back.',
    depart: () => ({
      settle: (store, { account, charges, nowMs, ruling }, status) =>
        account && (status === 400 || status === 404) ? store.refund(charges, nowMs) : ruling,
    }),
  },
  {
    id: 'refused-count-in-the-day',
    sentence: 'What the minute refuses is counted in the day all the same.',
    depart: (before) => ({
      decide(charged, nowMs) {
        const [{ tally }] = charged
        const ruling = before.decide(charged, nowMs)
        const [, day] = tally.meters
        if (ruling instanceof Promise || ruling.outcome !== 'refused' || !day || day.available(nowMs) === 0)
          return ruling
        day.take(nowMs)
        return ruled(tally, nowMs, 'refused')
      },
    }),
  },
  {
    id: 'keys-of-a-plan-share',
    sentence: 'All keys of a plan share one quota.',
    depart: counting((subject) => (subject.plan ? { ...subject, id: `plan ${subject.plan}` } : subject)),
  },
  {
    id: 'headers-of-the-minute',
    sentence: 'The headers show the minute, except where the day refused.',
    depart: (before) => ({
      shown: (ruling, call) =>
        ruling.outcome === 'admitted' ? ruling.windows.slice(0, 1) : before.shown(ruling, call),
    }),
  },
  {
    id: 'headers-of-the-day',
    sentence: 'The headers show the day, except where the minute refused.',
    depart: (before) => ({
      shown: (ruling, call) => (ruling.outcome === 'admitted' ? ruling.windows.slice(-1) : before.shown(ruling, call)),
    }),
  },
  ...shared(contractVariations, 'clock-ahead'),
]
