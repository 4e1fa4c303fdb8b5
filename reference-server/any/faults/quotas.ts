import { countingAlone } from '../../faults/departures/counting-alone.js'
import { losingCounts } from '../../faults/departures/losing-counts.js'
import { everyRequestRenews } from '../../faults/departures/renewed-window.js'
import { uncountedOpener } from '../../faults/departures/uncounted-opener.js'
import type { QuotaWindow } from '../../metering/subject.js'
import {
  bucketsOnly,
  costsDiffer,
  judgesEarly,
  judgesOneFewer,
  judgesOneMore,
  judgesOver,
  showsOpenedWindows,
  someQuota,
} from '../what-contracts-show.js'
import { contractFaultsOf } from './contract-fault.js'
import { chargesAll, countsApartBy, enforces, racing } from './quota-departures.js'

/** The most at once, so many more. */
const holds = ({ limit, capacity }: QuotaWindow, more: number): Partial<QuotaWindow> =>
  capacity === undefined ? { limit: limit + more } : { capacity: capacity + more }

/** Departures from the limits. */
export const quotaFaults = contractFaultsOf([
  {
    id: 'limit-plus-one',
    breaks: ['QUOTA-1'],
    sentence: 'One more than the limit is admitted in each window.',
    appliesTo: judgesOneMore,
    depart: enforces((window) => holds(window, 1)),
  },
  {
    id: 'limit-minus-one',
    breaks: ['QUOTA-2'],
    sentence: 'The last request that the limit allows is refused.',
    appliesTo: judgesOneFewer,
    depart: enforces((window) => holds(window, -1)),
  },
  {
    id: 'window-halved',
    breaks: ['QUOTA-1'],
    sentence: 'The quota of a window comes back after half of it.',
    appliesTo: judgesOver,
    depart: enforces(({ lengthMs }) => ({ lengthMs: lengthMs / 2 })),
  },
  {
    id: 'window-doubled',
    // It shows in the fields too: Reset is after the end of the window.
    breaks: ['QUOTA-2', 'RATE-5'],
    sentence: 'The quota of a window comes back after two.',
    appliesTo: judgesEarly,
    depart: enforces(({ lengthMs }) => ({ lengthMs: lengthMs * 2 })),
  },
  {
    id: 'every-request-renews-the-window',
    breaks: ['QUOTA-2'],
    sentence: 'Every admitted request moves the end of the window to a window from then.',
    appliesTo: (contract) => judgesEarly(contract) && !bucketsOnly(contract),
    depart: () => ({ openMeter: everyRequestRenews }),
  },
  {
    id: 'check-then-increment',
    breaks: ['QUOTA-1'],
    sentence: 'The counts are looked at, and raised some turns of the event loop later.',
    appliesTo: judgesOver,
    depart: racing,
  },
  {
    id: 'nodes-count-alone',
    // Each answer shows the count of the node that it came from, so that Remaining does not fall as it should.
    breaks: ['QUOTA-1', 'RATE-4'],
    sentence: 'Four nodes take turns, and each counts alone.',
    appliesTo: judgesOver,
    depart: (before) => ({
      openMeter: (window, nowMs) => countingAlone(4, () => before.openMeter(window, nowMs)),
    }),
  },
  {
    id: 'window-opener-not-counted',
    // Its answer and the next one show the same Remaining.
    breaks: ['QUOTA-1', 'RATE-4'],
    sentence: 'The request that begins a window is not counted, though its own answer shows it.',
    appliesTo: (contract) => judgesOneMore(contract) && showsOpenedWindows(contract) && !costsDiffer(contract),
    depart: () => ({ openMeter: uncountedOpener }),
  },
  {
    id: 'counts-lost',
    // An answer whose count was lost shows the same Remaining as the one before.
    breaks: ['QUOTA-1', 'RATE-4'],
    sentence: 'Every second admitted request is not counted.',
    appliesTo: judgesOver,
    depart: (before) => ({ openMeter: (window, nowMs) => losingCounts(before.openMeter(window, nowMs)) }),
  },
  {
    id: 'credentials-share-a-count',
    breaks: ['QUOTA-4'],
    sentence: 'What one credential sends is charged to the others as well.',
    appliesTo: someQuota(({ by, limit }) => by !== 'address' && Object.keys(limit).length > 1),
    depart: chargesAll,
  },
  {
    id: 'routes-count-alone',
    breaks: ['QUOTA-6'],
    // A load of each route that costs more than one is admitted beside what the others were.
    breaksBesides: (contract) => (costsDiffer(contract) ? ['QUOTA-1'] : []),
    sentence: 'Each probe of a quota has a count of its own.',
    // A probe that costs more than the first one tells nothing by being refused.
    appliesTo: someQuota(
      ({ by, requests, cost }) =>
        by !== 'credential+request' &&
        requests.filter((request) => (cost[request] ?? 1) <= (cost[requests[0]] ?? 1)).length > 1,
    ),
    depart: countsApartBy(
      () => true,
      ({ probe }) => probe,
    ),
  },
  {
    id: 'forwarded-for-opens-count',
    breaks: ['QUOTA-6'],
    sentence: 'Each X-Forwarded-For has a count of its own.',
    depart: countsApartBy(
      () => true,
      ({ request }) => String(request.headers['x-forwarded-for'] ?? ''),
    ),
  },
  {
    id: 'user-agent-opens-count',
    breaks: ['QUOTA-6'],
    sentence: 'Each User-Agent has a count of its own.',
    depart: countsApartBy(
      () => true,
      ({ request }) => request.headers['user-agent'] ?? '',
    ),
  },
  {
    id: 'credentials-of-an-address-count-alone',
    breaks: ['QUOTA-6'],
    sentence: 'At one address each credential has a count of its own.',
    appliesTo: someQuota(({ by, limit }) => by === 'address' && Object.keys(limit).length > 1),
    depart: countsApartBy(
      ({ by }) => by === 'address',
      ({ credential }) => credential,
    ),
  },
  {
    id: 'cost-ignored',
    // Remaining falls by one where it should fall by the cost.
    breaks: ['QUOTA-1', 'RATE-4'],
    sentence: 'Every request costs one, whatever its probe should cost.',
    appliesTo: costsDiffer,
    depart: (before) => ({
      chargesOf: (arrival) => before.chargesOf(arrival).map((charge) => ({ ...charge, cost: 1 })),
    }),
  },
  {
    id: 'burst-ignored',
    breaks: ['QUOTA-2'],
    sentence: 'The bucket holds no more than the limit of a window.',
    appliesTo: someQuota(
      ({ burst, limit }) => burst !== undefined && Object.values(limit).some((each) => burst > each),
    ),
    depart: enforces(({ limit, capacity = limit }) => ({ capacity: Math.min(capacity, limit) })),
  },
])
