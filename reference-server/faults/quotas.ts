import type { PlanName } from '../../src/contract/plans.js'
import { chargingOthers, type Departure } from '../behaviour.js'
import { algorithms } from '../limiters/algorithms.js'
import type { Meter } from '../limiters/limiter.js'
import { whenKnown } from '../pipeline.js'
import { type Charge, type NamedWindow, ruled } from '../stores/ruling.js'
import type { LimiterStore } from '../stores/store.js'
import { bucketFaults } from './bucket-faults.js'
import { fault, faultsOf } from './fault.js'
import {
  countingAlone,
  everyRequestRenews,
  laterWindowsShort,
  lateToTurn,
  losingCounts,
  lostOnce,
  lumpyBucket,
  renewedWindow,
  rewoundBucket,
  ringOfCells,
  uncountedOpener,
  wholeTokenBucket,
} from './odd-meters.js'
import {
  afterMinuteRefused,
  countingRefused,
  dayWithoutPatches,
  deciding,
  enforces,
  fixedPlans,
  isFixed,
  meters,
  metersMinute,
  racing,
} from './quota-departures.js'

const minutesOfDay = 1_440

const sixthOf = ({ limit, windowMs }: NamedWindow): NamedWindow => ({
  name: 'hidden',
  limit: limit / 6,
  windowMs: windowMs / 6,
})

/** A key that is never served again also breaks every promise that the quota comes back. */
const refusingForEver = (sentence: string) => fault(sentence, 'QUOTA-2', 'RATE-6', 'THROTTLE-4', 'THROTTLE-6')

/** Four nodes behind one address, each with its own count of a fixed plan's minute. */
const nodesAlone = metersMinute((before, window, nowMs) => countingAlone(4, () => before.openMeter(window, nowMs)))

/** Charges a request if there is quota left, without refusals, because many in a row could end in a ban. */
const charge = (store: LimiterStore, charges: readonly Charge[], nowMs: number) =>
  void whenKnown(store.peek(charges, nowMs), ({ windows }) => {
    if (windows.every(({ remaining }) => remaining > 0)) void store.take(charges, nowMs)
  })

const altersMinute = (alter: (meter: Meter, window: NamedWindow) => Partial<Meter>): Departure =>
  metersMinute((before, window, nowMs) => {
    const meter = before.openMeter(window, nowMs)
    return { ...meter, ...alter(meter, window) }
  })

/** A fixed plan's minute lasts a multiple of what it should. */
const minuteLasts = (share: number): Departure =>
  metersMinute((before, window, nowMs) => before.openMeter({ ...window, windowMs: window.windowMs * share }, nowMs))

export const quotaFaults = faultsOf('QUOTA', {
  'limit-plus-one': fault('One more than the limit is admitted each minute.', 'QUOTA-1').by(
    enforces('minute', fixedPlans, (limit) => limit + 1),
  ),
  'limit-minus-one': fault('The last request that the limit allows is refused.', 'QUOTA-2').by(
    enforces('minute', fixedPlans, (limit) => limit - 1),
  ),
  'limit-only-shown': fault('The limits are counted down and shown, but nobody is ever refused.', 'QUOTA-1').by(
    deciding((tally, nowMs) => {
      for (const meter of tally.meters) if (meter.available(nowMs) > 0) meter.take(nowMs)
      return ruled(tally, nowMs, 'admitted')
    }),
  ),
  'check-then-increment': fault('Counts go up event-loop turns late.', 'QUOTA-1').by(racing(() => true)),
  'race-at-the-last-slot': fault('Simultaneous requests for the last place are all admitted.', 'QUOTA-1').by(
    racing(({ meters }, nowMs) => meters[0].available(nowMs) <= 1),
  ),
  // Each answer shows the count of its own node, so Remaining does not fall as it should.
  'nodes-count-alone': fault('Four nodes take turns, and each counts alone.', 'QUOTA-1', 'RATE-4').by(nodesAlone),
  'window-too-short': fault('The quota of a minute comes back after half a minute.', 'QUOTA-1').by(minuteLasts(1 / 2)),
  'window-ends-early': fault('The quota of a minute comes back 3 s before the moment that answers name.', 'QUOTA-1').by(
    metersMinute((before, window, nowMs) => {
      const early = window.windowMs / 20
      const meter = before.openMeter({ ...window, windowMs: window.windowMs - early }, nowMs)
      return {
        ...meter,
        resetMs: (atMs) => meter.resetMs(atMs) + early,
        admitsAtMs: (atMs) => (meter.available(atMs) > 0 ? atMs : meter.admitsAtMs(atMs) + early),
      }
    }),
  ),
  // The headers show it too: Reset is after the end of the minute.
  'window-too-long': fault('A minute lasts one and a half minutes.', 'QUOTA-2', 'RATE-5').by(minuteLasts(1.5)),
  'first-request-free': fault('The first request after a quiet window is not counted.', 'QUOTA-1').by(
    altersMinute((meter, window) => {
      let freeUntilMs = Number.NEGATIVE_INFINITY
      return {
        take(atMs) {
          if (meter.available(atMs) < window.limit || atMs < freeUntilMs) meter.take(atMs)
          else freeUntilMs = atMs + window.windowMs
        },
      }
    }),
  ),
  // Its answer and the next one show the same Remaining.
  'window-opener-not-counted': fault('The request that opens a window is shown, not counted.', 'QUOTA-1', 'RATE-4').by(
    metersMinute((_, window, nowMs) => uncountedOpener(window, nowMs)),
  ),
  // An uncounted answer shows the same Remaining as the one before.
  'counts-lost': fault('Every second admission is not counted.', 'QUOTA-1', 'RATE-4').by(altersMinute(losingCounts)),
  // Remaining counts requests, so it falls by one; a fall by two could be another user of the key.
  'requests-count-twice': fault('Each request counts twice.', 'QUOTA-2').by(
    altersMinute((meter) => ({
      available: (atMs) => Math.floor(meter.available(atMs) / 2),
      take(atMs) {
        meter.take(atMs)
        meter.take(atMs)
      },
    })),
  ),
  // A store's client that asks again where an answer is late.
  'one-in-twenty-counts-twice': fault('One request in 20 counts twice.', 'QUOTA-2').by(
    altersMinute((meter) => {
      let taken = 0
      return {
        take(atMs) {
          meter.take(atMs)
          taken += 1
          if (taken % 20 === 0) meter.take(atMs)
        },
      }
    }),
  ),
  'refused-requests-count': fault('A sliding log remembers refused requests too.', 'QUOTA-2').by(
    countingRefused(algorithms['sliding-log']),
  ),
  'refused-requests-renew-the-window': fault('Every refused request restarts the window.', 'QUOTA-2').by(
    countingRefused(renewedWindow((used, limit) => used >= limit)),
  ),
  'every-request-renews-the-window': fault('Every admitted request restarts the window.', 'QUOTA-2').by(
    metersMinute((_, window, nowMs) => everyRequestRenews(window, nowMs)),
  ),
  'quota-never-comes-back': refusingForEver('A key that has once spent its minute is refused forever.').by(
    altersMinute((meter) => {
      let spent = false
      return {
        available: (atMs) => (spent ? 0 : meter.available(atMs)),
        take(atMs) {
          meter.take(atMs)
          spent ||= meter.available(atMs) === 0
        },
        admitsAtMs: (atMs) => Math.max(meter.admitsAtMs(atMs), spent ? meter.resetMs(atMs) : atMs),
        forgetAtMs: () => (spent ? Number.POSITIVE_INFINITY : meter.forgetAtMs()),
      }
    }),
  ),
  'later-windows-one-less': fault('The first window admits the limit, each later one admits one less.', 'QUOTA-2').by(
    metersMinute((_, window, nowMs) => laterWindowsShort(window, nowMs)),
  ),
  // A client that waits as told, or until Reset, sends that first request.
  'first-after-a-window-refused': fault('A window refuses its first request.', 'QUOTA-2', 'RATE-6', 'THROTTLE-4').by(
    altersMinute(lateToTurn),
  ),
  'ring-of-cells-stands-still': fault('A ring of ten cells stands still under steady requests.', 'QUOTA-2').by(
    metersMinute((_, window, nowMs) => ringOfCells('request', window, nowMs)),
  ),
  'ring-of-cells-forgets-early': fault('A ring of ten cells forgets up to a tenth of a window too soon.', 'QUOTA-1').by(
    metersMinute((_, window, nowMs) => ringOfCells('cell', window, nowMs)),
  ),
  'refused-once-idle': refusingForEver('A key that was idle for more than two windows is refused forever.').by(
    altersMinute((meter, { windowMs }) => lostOnce(meter, (lastMs, atMs) => atMs - lastMs > 2 * windowMs)),
  ),
  'refused-once-clock-stepped-back': refusingForEver('After its clock has stepped back, a key is refused forever.').by(
    metersMinute((before, window, nowMs) => {
      const stepsMs = nowMs + 1.5 * window.windowMs
      return lostOnce(before.openMeter(window, nowMs), (lastMs, atMs) => lastMs < stepsMs && atMs >= stepsMs)
    }),
  ),
  'bucket-filled-in-lumps': fault('A bucket gets its tokens all at once, each sixtieth of a minute.', 'QUOTA-1').by(
    metersMinute((_, window, nowMs) => lumpyBucket(window, nowMs)),
  ),
  'bucket-adds-whole-tokens': fault(
    'Each request adds the whole tokens since the last, and drops the rest.',
    'QUOTA-2',
  ).by(metersMinute((_, window, nowMs) => wholeTokenBucket(window, nowMs))),
  'older-stamp-rewinds-bucket': fault('Every second request rewinds its bucket, which refills twice.', 'QUOTA-1').by(
    metersMinute((_, window, nowMs) => rewoundBucket(window, nowMs)),
  ),
  'hidden-sub-window': fault('A sixth of a minute admits only a sixth, and no answer says so.', 'QUOTA-2').by(
    (before) => ({
      chargesOf: chargingOthers(before, (subject) =>
        isFixed(subject)
          ? {
              ...subject,
              windows: subject.windows.flatMap((each) => (each.name === 'minute' ? [each, sixthOf(each)] : [each])),
            }
          : subject,
      ),
      shown: (ruling, call) =>
        before.shown({ ...ruling, windows: ruling.windows.filter(({ window }) => window.name !== 'hidden') }, call),
    }),
  ),
  'day-limit-plus-one': fault('A day admits 1 more.', 'QUOTA-3').by(enforces('day', fixedPlans, (limit) => limit + 1)),
  'day-limit-minus-one': fault('The last request that the limit of the day allows is refused.', 'QUOTA-3').by(
    enforces('day', fixedPlans, (limit) => limit - 1),
  ),
  'day-limit-ignored': fault('The limit of the day is never enforced.', 'QUOTA-3').by(
    enforces('day', fixedPlans, () => Number.MAX_SAFE_INTEGER),
  ),
  'day-begins-again-each-minute': fault('The count of the day is forgotten at the end of each minute.', 'QUOTA-3').by(
    meters('day', (before, window, nowMs) => {
      const day = before.openMeter(window, nowMs)
      const minuteMs = window.windowMs / minutesOfDay
      let [forgotten, endsMs] = [before.openMeter(window, nowMs), nowMs + minuteMs]
      const current = (atMs: number) => {
        if (atMs >= endsMs) [forgotten, endsMs] = [before.openMeter(window, atMs), atMs + minuteMs]
        return forgotten
      }
      return {
        ...day,
        available: (atMs) => current(atMs).available(atMs),
        take(atMs) {
          current(atMs).take(atMs)
          day.take(atMs)
        },
      }
    }),
  ),
  'day-count-stops-after-minute-refusal': fault('After a refusal by the minute the day stops counting.', 'QUOTA-3').by(
    afterMinuteRefused((day, nowMs) => day.refund(nowMs)),
  ),
  'day-counts-double-after-minute-refusal': fault('After a refusal by the minute the day counts double.', 'QUOTA-3').by(
    afterMinuteRefused((day, nowMs) => {
      if (day.available(nowMs) > 0) day.take(nowMs)
    }),
  ),
  'day-leaves-out-patches': fault('A PATCH does not count against the day.', 'QUOTA-3').by(dayWithoutPatches()),
  // A Pro key that is refused at the Free limit is also refused early.
  'plan-ignored': fault('Pro and Business keys are held to the minute limit of Free.', 'QUOTA-4', 'QUOTA-2').byEach(
    (_, { quotas }) => enforces('minute', ['pro', 'business'], () => quotas.free.minute),
  ),
  'plans-share-a-bucket': fault('A request with a Free or Pro key counts against the other plan too.', 'QUOTA-4').by(
    (before) => {
      const seen = new Map<string, readonly Charge[]>()
      const shared: readonly (PlanName | undefined)[] = ['free', 'pro']
      return {
        meter(store, arrival, charges) {
          const [{ subject }] = charges
          if (!shared.includes(subject.plan)) return before.meter(store, arrival, charges)
          seen.set(subject.id, charges)
          for (const other of seen.values()) {
            if (other[0].subject.plan !== subject.plan) charge(store, other, arrival.nowMs)
          }
          return before.meter(store, arrival, charges)
        },
      }
    },
  ),
  'enterprise-limit-plus-one': fault('An Enterprise key gets one more a minute than was agreed.', 'QUOTA-5').by(
    enforces('minute', ['enterprise'], (limit) => limit + 1),
  ),
  'enterprise-limit-halved': fault('An Enterprise key gets half of what was agreed.', 'QUOTA-5').by(
    enforces('minute', ['enterprise'], (limit) => Math.ceil(limit / 2)),
  ),
  'enterprise-day-limit-plus-one': fault('An Enterprise key gets one more a day than was agreed.', 'QUOTA-5').by(
    enforces('day', ['enterprise'], (limit) => limit + 1),
  ),
  'enterprise-day-leaves-out-patches': fault('An Enterprise PATCH does not count against the day.', 'QUOTA-5').by(
    dayWithoutPatches(({ plan }) => plan === 'enterprise'),
  ),
  ...bucketFaults,
})
