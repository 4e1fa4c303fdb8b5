import type { PlanName } from '../../src/contract/plans.js'
import { algorithms } from '../limiters/algorithms.js'
import { type Charge, ruled } from '../stores/ruling.js'
import { faultsOf } from './fault.js'
import { everyRequestRenews, losingCounts, renewedWindow, uncountedOpener } from './odd-meters.js'
import {
  afterMinuteRefused,
  altersMinute,
  charge,
  countingRefused,
  enforces,
  fixedPlans,
  isFixed,
  meters,
  metersMinute,
  minuteLasts,
  nodesAlone,
  opensBucketBy,
  racing,
} from './quota-departures.js'

const minutesOfDay = 1_440

/** Departures from the limits of §8. */
export const quotaFaults = faultsOf('QUOTA', [
  {
    id: 'limit-plus-one',
    breaks: ['QUOTA-1'],
    sentence: 'One more than the limit is admitted each minute.',
    depart: enforces('minute', fixedPlans, (limit) => limit + 1),
  },
  {
    id: 'limit-minus-one',
    breaks: ['QUOTA-2'],
    sentence: 'The last request that the limit allows is refused.',
    depart: enforces('minute', fixedPlans, (limit) => limit - 1),
  },
  {
    id: 'limit-only-shown',
    breaks: ['QUOTA-1'],
    sentence: 'The limits are counted down and shown, and nobody is ever refused.',
    depart: (before) => ({
      decide(charged, nowMs) {
        const [{ tally }] = charged
        if (!isFixed(tally.subject)) return before.decide(charged, nowMs)
        for (const meter of tally.meters) if (meter.available(nowMs) > 0) meter.take(nowMs)
        return ruled(tally, nowMs, 'admitted')
      },
    }),
  },
  {
    id: 'check-then-increment',
    breaks: ['QUOTA-1'],
    sentence: 'The count is looked at, and raised some turns of the event loop later.',
    depart: racing(() => true),
  },
  {
    id: 'race-at-the-last-slot',
    breaks: ['QUOTA-1'],
    sentence: 'Requests that ask at once for the last place are all admitted.',
    depart: racing(({ meters }, nowMs) => meters[0].available(nowMs) <= 1),
  },
  {
    id: 'nodes-count-alone',
    // Each answer shows the count of the node that it came from, so that Remaining does not fall as it should.
    breaks: ['QUOTA-1', 'RATE-4'],
    sentence: 'Four nodes take turns, and each counts alone.',
    depart: nodesAlone,
  },
  {
    id: 'window-too-short',
    breaks: ['QUOTA-1'],
    sentence: 'The quota of a minute comes back after half of it.',
    depart: minuteLasts(1 / 2),
  },
  {
    id: 'window-ends-early',
    breaks: ['QUOTA-1'],
    sentence: 'The quota of a minute comes back three seconds before the moment that the answers name.',
    depart: metersMinute((before, window, nowMs) => {
      const early = window.lengthMs / 20
      const meter = before.openMeter({ ...window, lengthMs: window.lengthMs - early }, nowMs)
      return {
        ...meter,
        resetMs: (atMs) => meter.resetMs(atMs) + early,
        admitsAtMs: (atMs) => (meter.available(atMs) > 0 ? atMs : meter.admitsAtMs(atMs) + early),
      }
    }),
  },
  {
    id: 'window-too-long',
    // It shows in the headers too: Reset is after the end of the minute.
    breaks: ['QUOTA-2', 'RATE-5'],
    sentence: 'The quota of a minute comes back after one and a half.',
    depart: minuteLasts(1.5),
  },
  {
    id: 'first-request-free',
    breaks: ['QUOTA-1'],
    sentence: 'The first request after a quiet window is not counted.',
    depart: altersMinute((meter, window) => {
      let freeUntilMs = Number.NEGATIVE_INFINITY
      return {
        take(atMs) {
          if (meter.available(atMs) < window.limit || atMs < freeUntilMs) meter.take(atMs)
          else freeUntilMs = atMs + window.lengthMs
        },
      }
    }),
  },
  {
    id: 'window-opener-not-counted',
    // Its answer and the next one show the same Remaining.
    breaks: ['QUOTA-1', 'RATE-4'],
    sentence: 'The request that begins a window is not counted, though its own answer shows it.',
    depart: metersMinute((_, window, nowMs) => uncountedOpener(window, nowMs)),
  },
  {
    id: 'counts-lost',
    // An answer whose count was lost shows the same Remaining as the one before.
    breaks: ['QUOTA-1', 'RATE-4'],
    sentence: 'Every second admitted request is not counted.',
    depart: altersMinute(losingCounts),
  },
  {
    id: 'requests-count-twice',
    // Remaining counts what is left in requests; a second spender would excuse one that falls by two.
    breaks: ['QUOTA-2'],
    sentence: 'Each request counts twice.',
    depart: altersMinute((meter) => ({
      available: (atMs) => Math.floor(meter.available(atMs) / 2),
      take(atMs) {
        meter.take(atMs)
        meter.take(atMs)
      },
    })),
  },
  {
    id: 'refused-requests-count',
    breaks: ['QUOTA-2'],
    sentence: 'A sliding log remembers refused requests as well.',
    depart: countingRefused(algorithms['sliding-log']),
  },
  {
    id: 'refused-requests-renew-the-window',
    breaks: ['QUOTA-2'],
    sentence: 'Every refused request starts the window anew.',
    depart: countingRefused(renewedWindow((used, limit) => used >= limit)),
  },
  {
    id: 'every-request-renews-the-window',
    breaks: ['QUOTA-2'],
    sentence: 'Every admitted request moves the end of the window to a minute from then.',
    depart: metersMinute((_, window, nowMs) => everyRequestRenews(window, nowMs)),
  },
  {
    id: 'quota-never-comes-back',
    // Every promise that the quota comes back is broken as well.
    breaks: ['QUOTA-2', 'RATE-6', 'THROTTLE-4', 'THROTTLE-6'],
    sentence: 'A key that has once used its minute up is refused for ever.',
    depart: altersMinute((meter) => {
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
  },
  {
    id: 'day-limit-plus-one',
    breaks: ['QUOTA-3'],
    sentence: 'One more than the limit is admitted each day.',
    depart: enforces('day', fixedPlans, (limit) => limit + 1),
  },
  {
    id: 'day-limit-minus-one',
    breaks: ['QUOTA-3'],
    sentence: 'The last request that the limit of the day allows is refused.',
    depart: enforces('day', fixedPlans, (limit) => limit - 1),
  },
  {
    id: 'day-limit-ignored',
    breaks: ['QUOTA-3'],
    sentence: 'The limit of the day is never enforced.',
    depart: enforces('day', fixedPlans, () => Number.MAX_SAFE_INTEGER),
  },
  {
    id: 'day-begins-again-each-minute',
    breaks: ['QUOTA-3'],
    sentence: 'The count of the day is forgotten with the end of each minute.',
    depart: meters('day', (before, window, nowMs) => {
      const day = before.openMeter(window, nowMs)
      const minuteMs = window.lengthMs / minutesOfDay
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
  },
  {
    id: 'day-count-stops-after-minute-refusal',
    breaks: ['QUOTA-3'],
    sentence: 'Once the minute has refused a request, the day counts no more.',
    depart: afterMinuteRefused((day, nowMs) => day.refund(nowMs)),
  },
  {
    id: 'day-counts-double-after-minute-refusal',
    breaks: ['QUOTA-3'],
    sentence: 'Once the minute has refused a request, the day counts each one twice.',
    depart: afterMinuteRefused((day, nowMs) => {
      if (day.available(nowMs) > 0) day.take(nowMs)
    }),
  },
  {
    id: 'plan-ignored',
    // A Pro key is refused at the Free limit, which is also an early refusal.
    breaks: ['QUOTA-4', 'QUOTA-2'],
    sentence: 'Pro and Business keys are held to the minute limit of Free.',
    depart: (before, surroundings) =>
      enforces('minute', ['pro', 'business'], () => surroundings.quotas.free.minute)(before, surroundings),
  },
  {
    id: 'plans-share-a-bucket',
    breaks: ['QUOTA-4'],
    sentence: 'What a Free or a Pro key sends is charged to the other as well.',
    depart: (before) => {
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
  },
  {
    id: 'enterprise-limit-plus-one',
    breaks: ['QUOTA-5'],
    sentence: 'An Enterprise key gets one more a minute than was agreed.',
    depart: enforces('minute', ['enterprise'], (limit) => limit + 1),
  },
  {
    id: 'enterprise-limit-halved',
    breaks: ['QUOTA-5'],
    sentence: 'An Enterprise key gets half of what was agreed.',
    depart: enforces('minute', ['enterprise'], (limit) => Math.ceil(limit / 2)),
  },
  {
    id: 'scheme-case-opens-bucket',
    breaks: ['QUOTA-6'],
    sentence: 'Each spelling of the scheme has a quota of its own.',
    depart: opensBucketBy(({ request }) => request.headers.authorization?.slice(0, 6).replace('Bearer', '') ?? ''),
  },
  {
    id: 'forwarded-for-opens-bucket',
    breaks: ['QUOTA-6'],
    sentence: 'Each X-Forwarded-For has a quota of its own.',
    depart: opensBucketBy(({ request }) => String(request.headers['x-forwarded-for'] ?? '')),
  },
  {
    id: 'accept-opens-bucket',
    breaks: ['QUOTA-6'],
    sentence: 'Each Accept has a quota of its own.',
    depart: opensBucketBy(({ request }) => request.headers.accept ?? ''),
  },
  {
    id: 'query-opens-bucket',
    breaks: ['QUOTA-6'],
    sentence: 'Each query string has a quota of its own.',
    depart: opensBucketBy(({ request }) => request.url?.split('?')[1] ?? ''),
  },
  {
    id: 'path-spelling-opens-bucket',
    breaks: ['QUOTA-6'],
    sentence: 'Each way to percent-encode a path has a quota of its own.',
    depart: opensBucketBy(({ request }) => (request.url?.includes('%') ? request.url : '')),
  },
  {
    id: 'operation-opens-bucket',
    breaks: ['QUOTA-6'],
    sentence: 'Each operation has a quota of its own.',
    depart: opensBucketBy(({ operation }) => (operation === 'listInventory' ? '' : (operation ?? ''))),
  },
  {
    id: 'pet-opens-bucket',
    breaks: ['QUOTA-6'],
    sentence: 'Each pet that is patched has a quota of its own.',
    depart: opensBucketBy(({ request, operation }) => (operation === 'updateInventory' ? (request.url ?? '') : '')),
  },
])
