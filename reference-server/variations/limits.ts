import type { ModelName } from '../../src/contract/limiter-models.js'
import { counting, type Departure } from '../behaviour.js'
import { shared, variation } from '../faults/fault.js'
import { algorithmNames, algorithms } from '../limiters/algorithms.js'
import { meterOf } from '../limiters/limiter.js'
import { intervalRefillIdle, type KeptMs } from '../limiters/windows.js'
import { ruled } from '../stores/ruling.js'
import { contractVariationRows } from './contract-variations.js'

const countingDays =
  (algorithm: ModelName): Departure =>
  ({ openMeter }, { dayMs }) => ({
    openMeter: (allowance, nowMs) =>
      (allowance.windowMs === dayMs ? algorithms[algorithm] : openMeter)(allowance, nowMs),
  })

/** Interval refill in a store that keeps an idle key for `keptMs`. */
const keeping =
  (keptMs: KeptMs): Departure =>
  () => ({ openMeter: (allowance, nowMs) => meterOf(intervalRefillIdle(allowance, keptMs), nowMs) })

const otherLimiters = algorithmNames.filter((name) => name !== 'fixed-window-first-request')

export const limitVariations = {
  ...Object.fromEntries(
    otherLimiters.map((name) => [
      `algorithm-${name}`,
      variation(`Both windows are counted by ${name}.`).by(() => ({ openMeter: algorithms[name] })),
    ]),
  ),
  'refill-forgotten-once-full': variation('Interval refill that drops a key a tenth of a window after it is full.').by(
    keeping((windowMs, untilRefillMs) => untilRefillMs + windowMs / 10),
  ),
  'refill-kept-for-two-windows': variation('Interval refill whose keys expire two windows after an admission.').by(
    keeping((windowMs) => 2 * windowMs),
  ),
  'day-by-calendar': variation('The day begins at midnight UTC.').by(countingDays('fixed-window')),
  'day-rolling': variation('The day is always the last 24 hours.').by(countingDays('sliding-log')),
  'reset-of-the-next-token': variation('A token bucket whose Reset names the next token once nothing is left.').by(
    () => ({
      openMeter(allowance, nowMs) {
        const meter = algorithms['token-bucket'](allowance, nowMs)
        return {
          ...meter,
          resetMs: (atMs) => (meter.available(atMs) === 0 ? meter.admitsAtMs(atMs) : meter.resetMs(atMs)),
        }
      },
    }),
  ),
  'reset-of-the-whole-log': variation('A sliding log whose Reset lies a whole window ahead, when it is empty.').by(
    () => ({
      openMeter(allowance, nowMs) {
        const meter = algorithms['sliding-log'](allowance, nowMs)
        return { ...meter, resetMs: (atMs) => atMs + allowance.windowMs }
      },
    }),
  ),
  'unauthorized-unmetered': variation('Requests without a valid key are not counted.').by((before) => ({
    meter: (store, arrival, charges) =>
      arrival.account ? before.meter(store, arrival, charges) : store.peek(charges, arrival.nowMs),
  })),
  'strangers-limited': variation('Requests without a valid key are limited to 40 a minute.').by(
    counting((subject) =>
      subject.plan ? subject : { ...subject, windows: subject.windows.map((each) => ({ ...each, limit: 40 })) },
    ),
  ),
  'client-errors-free': variation('A request that gets 400 or 404 is refunded.').by(() => ({
    settle: (store, { account, charges, nowMs, ruling }, status) =>
      account && (status === 400 || status === 404) ? store.refund(charges, nowMs) : ruling,
  })),
  'refused-count-in-the-day': variation('What the minute refuses still counts in the day.').by((before) => ({
    decide(charged, nowMs) {
      const [{ tally }] = charged
      const ruling = before.decide(charged, nowMs)
      const [, day] = tally.meters
      if (ruling instanceof Promise || ruling.outcome !== 'refused' || !day || day.available(nowMs) === 0) return ruling
      day.take(nowMs)
      return ruled(tally, nowMs, 'refused')
    },
  })),
  'keys-of-a-plan-share': variation('All keys of a plan share one quota.').by(
    counting((subject) => (subject.plan ? { ...subject, id: `plan ${subject.plan}` } : subject)),
  ),
  'headers-of-the-minute': variation('The headers show the minute, unless the day refused.').by((before) => ({
    shown: (ruling, call) => (ruling.outcome === 'admitted' ? ruling.windows.slice(0, 1) : before.shown(ruling, call)),
  })),
  'headers-of-the-day': variation('The headers show the day, unless the minute refused.').by((before) => ({
    shown: (ruling, call) => (ruling.outcome === 'admitted' ? ruling.windows.slice(-1) : before.shown(ruling, call)),
  })),
  ...shared(contractVariationRows, 'clock-ahead'),
}
