import type { PlanName } from '../../src/contract/plans.js'
import { chargingOthers } from '../behaviour/behaviour.js'
import { algorithms } from '../limiters/algorithms.js'
import { type Charge, type NamedWindow, ruled } from '../stores/ruling.js'
import { bucketFaults } from './bucket-faults.js'
import { fault, faultsOf } from './fault.js'
import {
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
} from './odd-meters.js'
import {
  afterMinuteRefused,
  altersMinute,
  charge,
  countingRefused,
  dayWithoutPatches,
  deciding,
  enforces,
  fixedPlans,
  isAgreed,
  isFixed,
  meters,
  metersMinute,
  minuteLasts,
  nodesAlone,
  racing,
} from './quota-departures.js'

const minutesOfDay = 1_440

const sixthOf = ({ limit, windowMs }: NamedWindow): NamedWindow => ({
  name: 'hidden',
  limit: limit / 6,
  windowMs: windowMs / 6,
})

/** Every promise that the quota comes back is broken as well. */
const refusingForEver = fault('QUOTA-2', 'RATE-6', 'THROTTLE-4', 'THROTTLE-6')

/** Departures from the limits of §8. */
export const quotaFaults = faultsOf('QUOTA', {
  'limit-plus-one': fault('QUOTA-1')(
    'One more than the limit is admitted each minute.',
    enforces('minute', fixedPlans, (limit) => limit + 1),
  ),
  'limit-minus-one': fault('QUOTA-2')(
    'The last request that the limit allows is refused.',
    enforces('minute', fixedPlans, (limit) => limit - 1),
  ),
  'limit-only-shown': fault('QUOTA-1')(
    'The limits are counted down and shown, and nobody is ever refused.',
    deciding((tally, nowMs) => {
      for (const meter of tally.meters) if (meter.available(nowMs) > 0) meter.take(nowMs)
      return ruled(tally, nowMs, 'admitted')
    }),
  ),
  'check-then-increment': fault('QUOTA-1')(
    'The count is looked at, and raised some turns of the event loop later.',
    racing(() => true),
  ),
  'race-at-the-last-slot': fault('QUOTA-1')(
    'Requests that ask at once for the last place are all admitted.',
    racing(({ meters }, nowMs) => meters[0].available(nowMs) <= 1),
  ),
  // Each answer shows the count of the node that it came from, so that Remaining does not fall as it should.
  'nodes-count-alone': fault('QUOTA-1', 'RATE-4')('Four nodes take turns, and each counts alone.', nodesAlone),
  'window-too-short': fault('QUOTA-1')('The quota of a minute comes back after half of it.', minuteLasts(1 / 2)),
  'window-ends-early': fault('QUOTA-1')(
    'The quota of a minute comes back three seconds before the moment that the answers name.',
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
  // It shows in the headers too: Reset is after the end of the minute.
  'window-too-long': fault('QUOTA-2', 'RATE-5')(
    'The quota of a minute comes back after one and a half.',
    minuteLasts(1.5),
  ),
  'first-request-free': fault('QUOTA-1')(
    'The first request after a quiet window is not counted.',
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
  'window-opener-not-counted': fault('QUOTA-1', 'RATE-4')(
    'The request that begins a window is not counted, though its own answer shows it.',
    metersMinute((_, window, nowMs) => uncountedOpener(window, nowMs)),
  ),
  // An answer whose count was lost shows the same Remaining as the one before.
  'counts-lost': fault('QUOTA-1', 'RATE-4')(
    'Every second admitted request is not counted.',
    altersMinute(losingCounts),
  ),
  // Remaining counts what is left in requests; a second spender would excuse one that falls by two.
  'requests-count-twice': fault('QUOTA-2')(
    'Each request counts twice.',
    altersMinute((meter) => ({
      available: (atMs) => Math.floor(meter.available(atMs) / 2),
      take(atMs) {
        meter.take(atMs)
        meter.take(atMs)
      },
    })),
  ),
  'refused-requests-count': fault('QUOTA-2')(
    'A sliding log remembers refused requests as well.',
    countingRefused(algorithms['sliding-log']),
  ),
  'refused-requests-renew-the-window': fault('QUOTA-2')(
    'Every refused request starts the window anew.',
    countingRefused(renewedWindow((used, limit) => used >= limit)),
  ),
  'every-request-renews-the-window': fault('QUOTA-2')(
    'Every admitted request moves the end of the window to a minute from then.',
    metersMinute((_, window, nowMs) => everyRequestRenews(window, nowMs)),
  ),
  'quota-never-comes-back': refusingForEver(
    'A key that has once used its minute up is refused for ever.',
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
  'later-windows-one-less': fault('QUOTA-2')(
    'The first window admits the limit, each one after it one less.',
    metersMinute((_, window, nowMs) => laterWindowsShort(window, nowMs)),
  ),
  // Whoever waits as told, or until Reset, is that first request.
  'first-after-a-window-refused': fault(
    'QUOTA-2',
    'RATE-6',
    'THROTTLE-4',
  )('The first request after the end of a window is refused, the next one opens a new one.', altersMinute(lateToTurn)),
  'ring-of-cells-stands-still': fault('QUOTA-2')(
    'A ring of ten cells is turned on by the whole cells between two requests: under steady polling it stands still.',
    metersMinute((_, window, nowMs) => ringOfCells(window, nowMs)),
  ),
  'refused-once-idle': refusingForEver(
    'A key that was idle for more than two windows is refused for ever.',
    altersMinute((meter, { windowMs }) => lostOnce(meter, (lastMs, atMs) => atMs - lastMs > 2 * windowMs)),
  ),
  'refused-once-clock-stepped-back': refusingForEver(
    'A minute and a half after its first request the clock that a key is counted by steps back: it is refused for ever.',
    metersMinute((before, window, nowMs) => {
      const stepsMs = nowMs + 1.5 * window.windowMs
      return lostOnce(before.openMeter(window, nowMs), (lastMs, atMs) => lastMs < stepsMs && atMs >= stepsMs)
    }),
  ),
  'bucket-filled-in-lumps': fault('QUOTA-1')(
    'A bucket gets its tokens at each whole sixtieth of a minute, all at once.',
    metersMinute((_, window, nowMs) => lumpyBucket(window, nowMs)),
  ),
  'older-stamp-rewinds-bucket': fault('QUOTA-1')(
    'Every second request has an older time stamp, to which the bucket goes back, so that it refills twice.',
    metersMinute((_, window, nowMs) => rewoundBucket(window, nowMs)),
  ),
  'hidden-sub-window': fault('QUOTA-2')(
    'A sixth of a minute admits a sixth of the limit, which no answer shows.',
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
  'day-limit-plus-one': fault('QUOTA-3')(
    'One more than the limit is admitted each day.',
    enforces('day', fixedPlans, (limit) => limit + 1),
  ),
  'day-limit-minus-one': fault('QUOTA-3')(
    'The last request that the limit of the day allows is refused.',
    enforces('day', fixedPlans, (limit) => limit - 1),
  ),
  'day-limit-ignored': fault('QUOTA-3')(
    'The limit of the day is never enforced.',
    enforces('day', fixedPlans, () => Number.MAX_SAFE_INTEGER),
  ),
  'day-begins-again-each-minute': fault('QUOTA-3')(
    'The count of the day is forgotten with the end of each minute.',
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
  'day-count-stops-after-minute-refusal': fault('QUOTA-3')(
    'Once the minute has refused a request, the day counts no more.',
    afterMinuteRefused((day, nowMs) => day.refund(nowMs)),
  ),
  'day-counts-double-after-minute-refusal': fault('QUOTA-3')(
    'Once the minute has refused a request, the day counts each one twice.',
    afterMinuteRefused((day, nowMs) => {
      if (day.available(nowMs) > 0) day.take(nowMs)
    }),
  ),
  'day-leaves-out-patches': fault('QUOTA-3')(
    'A PATCH counts in the minute alone, and no day refuses it.',
    dayWithoutPatches(),
  ),
  // A Pro key is refused at the Free limit, which is also an early refusal.
  'plan-ignored': fault('QUOTA-4', 'QUOTA-2')(
    'Pro and Business keys are held to the minute limit of Free.',
    (before, surroundings) =>
      enforces('minute', ['pro', 'business'], () => surroundings.quotas.free.minute)(before, surroundings),
  ),
  'plans-share-a-bucket': fault('QUOTA-4')(
    'What a Free or a Pro key sends is charged to the other as well.',
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
  'enterprise-limit-plus-one': fault('QUOTA-5')(
    'An Enterprise key gets one more a minute than was agreed.',
    enforces('minute', ['enterprise'], (limit) => limit + 1),
  ),
  'enterprise-limit-halved': fault('QUOTA-5')(
    'An Enterprise key gets half of what was agreed.',
    enforces('minute', ['enterprise'], (limit) => Math.ceil(limit / 2)),
  ),
  'enterprise-day-limit-plus-one': fault('QUOTA-5')(
    'An Enterprise key gets one more a day than was agreed.',
    enforces('day', ['enterprise'], (limit) => limit + 1),
  ),
  'enterprise-day-leaves-out-patches': fault('QUOTA-5')(
    'A PATCH of an Enterprise key counts in the minute alone, and no day refuses it.',
    dayWithoutPatches(isAgreed),
  ),
  ...bucketFaults,
})
