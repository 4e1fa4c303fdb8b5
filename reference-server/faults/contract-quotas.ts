import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ApiContract, fieldsShowing, type QuotaSpec } from '../../src/contract/api-contract.js'
import { countsByAddress, countsByRequest } from '../../src/contract/partitions.js'
import { type AnyDeparture, type Arrival, type Behaviour, enforcing } from '../behaviour.js'
import {
  type Charged,
  decide,
  isExceeded,
  joined,
  mostLeft,
  type NamedWindow,
  type Ruling,
  ruled,
  spendWhatIsLeft,
} from '../stores/ruling.js'
import { ignoresKeyCase } from './auth.js'
import { countsApartBy } from './bucket-faults.js'
import { bucketsOnly, someQuota } from './contract-answers.js'
import { contractFault } from './fault.js'
import { countingAlone, cuttingBucket, everyRequestRenews, losingCounts, uncountedOpener } from './odd-meters.js'

/** Whether some quota is so exact that one request over the limit is too many for some credential. */
const judgesOneMore = someQuota(({ exact: { over }, limit }) => fitsBelowOne(over, limit))

/** Whether some quota is so exact that one request fewer is too few, and every limit is above 1. */
const judgesOneFewer = someQuota(
  ({ exact: { early }, limit }) => fitsBelowOne(early, limit) && Object.values(limit).every((each) => each > 1),
)

/** Whether some quota forbids admitting far too many, or refusing far too early. */
const judgesOver = someQuota(({ exact }) => exact.over !== null && exact.over < 0.5)
const judgesEarly = someQuota(({ exact }) => exact.early !== null && exact.early < 0.5)

/** Whether in some quota a request may open a window, and the window's end is shown. */
const showsOpenedWindows = (contract: ApiContract): boolean =>
  fieldsShowing(contract, 'reset').length > 0 &&
  someQuota(({ models }) => models.includes('fixed-window-first-request'))(contract)

const costsDiffer = someQuota(({ cost, requests }) => requests.some((request) => (cost[request] ?? 1) > 1))

const fitsBelowOne = (share: number | null, limit: QuotaSpec['limit']) =>
  share !== null && Object.values(limit).some((each) => each * share < 1)

/** Raises the most at once by `more`. */
const holds = ({ limit, burst }: NamedWindow, more: number): Partial<NamedWindow> =>
  burst === undefined ? { limit: limit + more } : { burst: burst + more }

/** Enforces another window than the promised one, but never shows more than the promised one would have left. */
const enforces = (change: (window: NamedWindow) => Partial<NamedWindow>): AnyDeparture =>
  enforcing(change, ({ remaining, window }, promised) =>
    Math.max(0, remaining - Math.max(0, mostLeft(window) - mostLeft(promised))),
  )

/** Reads the counts, and raises them a round trip later, but never beyond the limit. */
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

/** Charges each admitted request to the other credentials too, as far as they have quota left. */
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
      // A charge that costs nothing is only a look-up: it never refuses.
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

export const contractQuotaFaults = {
  'limit-plus-one': contractFault('One more than the limit is admitted in each window.', ['QUOTA-1'], judgesOneMore).by(
    enforces((window) => holds(window, 1)),
  ),
  'limit-minus-one': contractFault('The last request within the limit is refused.', ['QUOTA-2'], judgesOneFewer).by(
    enforces((window) => holds(window, -1)),
  ),
  'window-halved': contractFault('A quota comes back after half a window.', ['QUOTA-1'], judgesOver).by(
    enforces(({ windowMs }) => ({ windowMs: windowMs / 2 })),
  ),
  // The fields show it too: Reset is after the end of the window.
  'window-doubled': contractFault('A quota comes back after two windows.', ['QUOTA-2', 'RATE-5'], judgesEarly).by(
    enforces(({ windowMs }) => ({ windowMs: windowMs * 2 })),
  ),
  'every-request-renews-the-window': contractFault(
    'Every admitted request restarts the window.',
    ['QUOTA-2'],
    (contract) => judgesEarly(contract) && !bucketsOnly(contract),
  ).by(() => ({ openMeter: everyRequestRenews })),
  'check-then-increment': contractFault('Counts go up event-loop turns late.', ['QUOTA-1'], judgesOver).by(racing),
  // Each answer shows the count of its own node, so Remaining does not fall as it should.
  'nodes-count-alone': contractFault('Four nodes in turn each count alone.', ['QUOTA-1', 'RATE-4'], judgesOver).by(
    (before) => ({ openMeter: (window, nowMs) => countingAlone(4, () => before.openMeter(window, nowMs)) }),
  ),
  // Its answer and the next one show the same Remaining.
  'window-opener-not-counted': contractFault(
    'The request that opens a window is shown, not counted.',
    ['QUOTA-1', 'RATE-4'],
    (contract) => judgesOneMore(contract) && showsOpenedWindows(contract) && !costsDiffer(contract),
  ).by(() => ({ openMeter: uncountedOpener })),
  // An uncounted answer shows the same Remaining as the one before.
  'counts-lost': contractFault('Every second admitted request is not counted.', ['QUOTA-1', 'RATE-4'], judgesOver).by(
    (before) => ({ openMeter: (window, nowMs) => losingCounts(before.openMeter(window, nowMs)) }),
  ),
  'credentials-share-a-count': contractFault(
    'A request with one credential counts against the others too.',
    ['QUOTA-4'],
    someQuota((quota) => !countsByAddress(quota) && Object.keys(quota.limit).length > 1),
  ).by(chargesAll),
  // Each route's load is admitted on top of the others' if it costs more than one;
  // with two quotas, the loads of the shorter one add up on the longer one.
  // A refusal of a request that costs more than the first one shows nothing.
  'routes-count-alone': contractFault(
    'Each request of a quota has a count of its own.',
    ['QUOTA-6'],
    someQuota(
      ({ by, requests, cost }) =>
        !countsByRequest({ by }) &&
        requests.filter((request) => (cost[request] ?? 1) <= (cost[requests[0]] ?? 1)).length > 1,
    ),
    (contract) => (costsDiffer(contract) || contract.quotas.length > 1 ? ['QUOTA-1'] : []),
  ).by(countsApartBy(({ operation }) => operation ?? '')),
  'scheme-case-opens-count': contractFault(
    'Each spelling of the scheme in Authorization has a count of its own.',
    ['QUOTA-6'],
    ({ credentials }) => Object.values(credentials).some(({ scheme }) => scheme === 'bearer' || scheme === 'basic'),
  ).by(
    countsApartBy(({ request }) => request.headers.authorization?.split(' ')[0].replace(/^(Bearer|Basic)$/, '') ?? ''),
  ),
  'forwarded-for-opens-count': contractFault('Each X-Forwarded-For has a count of its own.', ['QUOTA-6']).by(
    countsApartBy(({ request }) => String(request.headers['x-forwarded-for'] ?? '')),
  ),
  'user-agent-opens-count': contractFault('Each User-Agent has a count of its own.', ['QUOTA-6']).by(
    countsApartBy(({ request }) => request.headers['user-agent'] ?? ''),
  ),
  'query-opens-count': contractFault('A query parameter that no request of the file has opens a count of its own.', [
    'QUOTA-6',
  ]).by(countsApartBy(({ request }) => new URLSearchParams(request.url?.split('?')[1]).get('_') ?? '')),
  'key-case-opens-count': contractFault(
    'A credential is accepted in any letter case, with a count for each.',
    ['QUOTA-6'],
    ({ credentials }) => Object.values(credentials).some(({ scheme }) => scheme !== 'basic' && scheme !== 'none'),
  ).by(
    ignoresKeyCase,
    countsApartBy(({ request: { headers, url = '' } }, { secrets }) =>
      secrets.some((secret) => `${url} ${Object.values(headers).join(' ')}`.includes(secret)) ? '' : 'in other case',
    ),
  ),
  'path-spelling-opens-count': contractFault('Each way to percent-encode a path has a count of its own.', [
    'QUOTA-6',
  ]).by(countsApartBy(({ request: { url = '' } }) => (/^[^?]*%/.test(url) ? url : ''))),
  'credentials-of-an-address-count-alone': contractFault(
    'At one address each credential has a count of its own.',
    ['QUOTA-6'],
    someQuota((quota) => countsByAddress(quota) && Object.keys(quota.limit).length > 1),
  ).by(countsApartBy(({ account }) => account?.id ?? '', countsByAddress)),
  // Remaining falls by one instead of the cost.
  'cost-ignored': contractFault('Every request costs one, whatever is agreed.', ['QUOTA-1', 'RATE-4'], costsDiffer).by(
    (before) => ({ chargesOf: (arrival) => before.chargesOf(arrival).map((charge) => ({ ...charge, cost: 1 })) }),
  ),
  'cost-beyond-rest-free': contractFault(
    'A request that costs more than one, and more than is left, is served and costs nothing.',
    ['QUOTA-1'],
    (contract) => costsDiffer(contract) && judgesOver(contract),
  ).by((before) => ({
    decide: (charged, nowMs) =>
      charged.some((each) => each.cost > 1 && isExceeded(each, nowMs))
        ? joined(charged.map(({ tally }) => ruled(tally, nowMs, 'admitted')))
        : before.decide(charged, nowMs),
  })),
  'burst-ignored': contractFault(
    'The bucket holds no more than the limit of a window, or one of the costliest requests.',
    ['QUOTA-2'],
    someQuota(({ burst, limit }) => burst !== undefined && Object.values(limit).some((each) => burst > each)),
  ).by((before, made) =>
    enforces(({ name, limit, burst = limit }) => {
      const costs = made.contract.quotas.filter(({ id }) => id === name).flatMap(({ cost }) => Object.values(cost))
      // A bucket too small for a request's cost would name waits that never end, which breaks another clause.
      return { burst: Math.min(burst, Math.max(limit, ...costs)) }
    })(before, made),
  ),
  'bucket-drops-fractions': contractFault(
    'A bucket rounds its tokens down to a whole number whenever it admits a request.',
    ['QUOTA-2'],
    (contract) => judgesEarly(contract) && bucketsOnly(contract),
  ).by(() => ({ openMeter: cuttingBucket })),
}
