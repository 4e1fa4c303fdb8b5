import { setImmediate as nextTurn } from 'node:timers/promises'
import type { QuotaSpec } from '../../src/contract/api-contract.js'
import type { AnyDeparture, Arrival, Behaviour } from '../behaviour/behaviour.js'
import { chargingOthers } from '../behaviour/departing.js'
import {
  type Charged,
  decide,
  isExceeded,
  joined,
  mostLeft,
  type QuotaWindow,
  type Ruling,
  ruled,
  spendWhatIsLeft,
} from '../stores/ruling.js'
import { contractFaultsOf } from './fault.js'
import { countingAlone, everyRequestRenews, losingCounts, uncountedOpener } from './odd-meters.js'
import {
  bucketsOnly,
  costsDiffer,
  judgesEarly,
  judgesOneFewer,
  judgesOneMore,
  judgesOver,
  showsOpenedWindows,
  someQuota,
} from './what-contracts-show.js'

/** The most at once, so many more. */
const holds = ({ limit, capacity }: QuotaWindow, more: number): Partial<QuotaWindow> =>
  capacity === undefined ? { limit: limit + more } : { capacity: capacity + more }

/**
 * Keeps another window than the one that is promised; what is shown is what the promised one would have left of what was
 * counted, or what is left where that is less.
 */
const enforces =
  (change: (window: QuotaWindow) => Partial<QuotaWindow>): AnyDeparture =>
  (before) => ({
    chargesOf: chargingOthers(before, (subject) => ({
      ...subject,
      windows: subject.windows.map((each) => ({ ...each, ...change(each) })),
    })),
    shown: (ruling, call) => {
      const stated = before.chargesOf(call).flatMap(({ subject }) => subject.windows)
      return before.shown(ruling, call).map((state) => {
        const window = stated.find(({ name }) => name === state.window.name) ?? state.window
        const beyond = Math.max(0, mostLeft(state.window) - mostLeft(window))
        return { ...state, window, remaining: Math.max(0, state.remaining - beyond) }
      })
    },
  })

/** Counts those apart whom the quota counts together. */
const countsApartBy =
  (concerns: (quota: QuotaSpec) => boolean, mark: (arrival: Arrival) => string): AnyDeparture =>
  (before, { contract }) => {
    const concerned = new Set(contract.quotas.filter(concerns).map(({ id }) => id))
    return {
      chargesOf: chargingOthers(before, (subject, arrival) =>
        subject.windows.some(({ name }) => concerned.has(name))
          ? { ...subject, id: `${subject.id} ${mark(arrival)}` }
          : subject,
      ),
    }
  }

/**
 * Looks at the counts, and raises them some turns of the event loop later: as long as a round trip to a store elsewhere. No
 * count goes beyond its limit, so that no wait becomes longer than the one that was named.
 */
const racing: AnyDeparture = () => ({
  async decide(charged, nowMs): Promise<Ruling> {
    const passes = charged.every((each) => nowMs >= each.tally.bannedUntilMs && !isExceeded(each, nowMs))
    if (!passes) return decide(charged, nowMs)
    for (let turn = 0; turn < 20; turn += 1) await nextTurn()
    for (const each of charged) {
      spendWhatIsLeft(each, nowMs)
      each.tally.refusedInARow = 0
    }
    return joined(charged.map(({ tally }) => ruled(tally, nowMs, 'admitted')))
  },
})

/** Charges each admitted request to the other credentials as well, as far as they have something left. */
const chargesAll: AnyDeparture = (before, { contract }) => {
  const others = (arrival: Arrival) =>
    Object.keys(contract.credentials)
      .filter((credential) => credential !== arrival.account?.id)
      .flatMap((credential) => before.chargesOf({ ...arrival, account: { id: credential } }))
  const quotaOf = ({ tally }: Charged) => tally.subject.windows[0].name
  return {
    chargesOf(arrival) {
      const own = before.chargesOf(arrival)
      const ids = new Set(own.map(({ subject }) => subject.id))
      const foreign = others(arrival).filter(({ subject }) => !ids.has(subject.id))
      // What costs nothing is only looked up: it never refuses.
      return [...own, ...foreign.map((charge) => ({ ...charge, cost: 0 }))]
    },
    decide(charged, nowMs) {
      const own = charged.filter(({ cost }) => cost > 0)
      const ruling = before.decide(own, nowMs)
      if (ruling instanceof Promise || ruling.outcome !== 'admitted') return ruling
      for (const each of charged) {
        const cost = own.find((one) => quotaOf(one) === quotaOf(each))?.cost ?? 0
        if (each.cost === 0) spendWhatIsLeft({ tally: each.tally, cost }, nowMs)
      }
      return ruling
    },
  } satisfies Partial<Behaviour>
}

/** Departures from the limits. */
export const contractQuotaFaults = contractFaultsOf([
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
      ({ operation }) => operation ?? '',
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
      ({ account }) => account?.id ?? '',
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
