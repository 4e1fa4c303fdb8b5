import type { Diagnosed, Likeness } from '../../src/cli/keystone/diagnosed.js'
import { isExact } from '../../src/cli/keystone/keystone.js'
import type { PlannedTrial } from '../../src/cli/keystone/trials.js'
import type { Fact } from '../../src/verdict/verdict.js'

/** The expected diagnosis of a fault on every plan that fails, with its facts. */
interface ExpectedDiagnosis {
  /** The right diagnosis, and those that a run's requests can't tell from it; null for no known defect. */
  readonly looksLike: readonly (Likeness | null)[]
  readonly facts?: Readonly<Record<string, Fact>>
}

const oneMore: ExpectedDiagnosis = { looksLike: ['limit-higher-by-one'] }
const oneLess: ExpectedDiagnosis = { looksLike: ['limit-lower-by-one'] }
const race: ExpectedDiagnosis = { looksLike: ['check-apart-from-count'] }

/** Quotas that return later the more is sent: a run that sees a late return only two or three times can't tell them apart. */
const late = (likeness: Likeness): ExpectedDiagnosis => ({
  looksLike: [likeness, 'every-request-renews', 'refusals-push-window', 'refusals-count', 'window-longer'],
})

/** Counts that are lost now and then: how many seem lost depends on the load's timing. */
const forgotten: ExpectedDiagnosis = {
  looksLike: [
    'check-apart-from-count',
    'nodes-count-alone',
    'window-shorter',
    'first-request-free',
    'limit-higher-by-one',
    null,
  ],
}

const openedBy = (...spellings: readonly string[]): ExpectedDiagnosis => ({
  looksLike: ['spelling-opens-quota'],
  facts: { spellings },
})

/** By the fault's id. Kept apart from the faults, because a diagnosis is the judge's view of a fault. */
export const expectedDiagnoses: Readonly<Record<string, ExpectedDiagnosis>> = {
  'limit-plus-one': oneMore,
  'limit-minus-one': oneLess,
  'limit-only-shown': { looksLike: ['no-limit'] },
  'check-then-increment': race,
  'race-at-the-last-slot': race,
  'nodes-count-alone': { looksLike: ['nodes-count-alone'], facts: { nodes: 4 } },
  'window-too-short': { looksLike: ['window-shorter'] },
  'window-ends-early': { looksLike: ['window-shorter'] },
  'window-too-long': { looksLike: ['window-longer'] },
  // One more in each window either way: only the window's end differs, by a request's duration.
  'first-request-free': { looksLike: ['first-request-free', 'limit-higher-by-one'] },
  'window-opener-not-counted': oneMore,
  // A limiter that loses every second count admits what two nodes do.
  'counts-lost': { looksLike: ['nodes-count-alone'], facts: { nodes: 2 } },
  'requests-count-twice': { looksLike: ['requests-count-twice'] },
  // Of 60 two or three count twice: that looks like a limit of 57 or 58.
  'one-in-twenty-counts-twice': { looksLike: ['limit-lower-by-one', 'other-limit', null] },
  'refused-requests-count': late('refusals-count'),
  'refused-requests-renew-the-window': late('refusals-push-window'),
  'every-request-renews-the-window': late('every-request-renews'),
  'quota-never-comes-back': late('quota-never-returns'),
  'later-windows-one-less': oneLess,
  // If several requests arrive at once after a window's end, the first may be answered last.
  'first-after-a-window-refused': { looksLike: ['first-of-window-refused', null] },
  'ring-of-cells-forgets-early': { looksLike: ['window-in-cells'] },
  'bucket-adds-whole-tokens': late('bucket-loses-tokens'),
  // How late the quota returns depends on the gaps between earlier requests.
  'ring-of-cells-stands-still': { looksLike: [...late('refusals-count').looksLike, null] },
  'refused-once-idle': late('every-request-renews'),
  'refused-once-clock-stepped-back': late('quota-never-returns'),
  'bucket-filled-in-lumps': forgotten,
  // Each pair of requests gains part of a token: how much depends on their speed.
  'older-stamp-rewinds-bucket': {
    looksLike: ['nodes-count-alone', 'check-apart-from-count', 'window-shorter', 'window-longer', null],
  },
  // What a cache hides, a fallback adds or a reload forgets looks like any of these, depending on the load's timing.
  'count-read-from-cache': forgotten,
  'fallback-store-adds-its-limit': forgotten,
  'reload-fills-quotas': forgotten,
  // When a copy runs out depends on when it was made.
  'refusal-repeated': { looksLike: [...late('window-longer').looksLike, null] },
  'counts-forgotten': { looksLike: ['counts-forgotten', ...forgotten.looksLike] },
  'node-keeps-its-share': {
    looksLike: ['other-limit', 'nodes-share-limit', 'every-request-renews', 'requests-count-twice', null],
  },
  'nodes-add-up-late': forgotten,
  'slow-store-admits': forgotten,
  'counted-behind-the-edge': forgotten,
  'blanks-open-bucket': openedBy('more blanks before the key'),
  'hidden-sub-window': { looksLike: ['sub-window'] },
  'day-limit-plus-one': oneMore,
  'day-limit-minus-one': oneLess,
  'day-limit-ignored': { looksLike: ['no-limit'] },
  // A day that never refuses looks like one without a limit, whatever made it forget.
  'day-begins-again-each-minute': { looksLike: ['no-limit'] },
  'day-count-stops-after-minute-refusal': { looksLike: ['no-limit'] },
  'day-counts-double-after-minute-refusal': { looksLike: ['requests-count-twice'] },
  'day-leaves-out-patches': { looksLike: ['other-limit'] },
  'plan-ignored': { looksLike: ['limit-of-another-plan'], facts: { plan: 'free' } },
  'plans-share-a-bucket': { looksLike: ['keys-share-bucket'] },
  'enterprise-limit-plus-one': oneMore,
  'enterprise-day-limit-plus-one': oneMore,
  'enterprise-day-leaves-out-patches': { looksLike: ['other-limit'] },
  // Half of the limit, or each request counted twice: from outside they look the same.
  'enterprise-limit-halved': { looksLike: ['requests-count-twice'] },
  'scheme-case-opens-bucket': openedBy('scheme in lower case', 'scheme in upper case'),
  'key-case-opens-bucket': openedBy('the key in other letter case'),
  'api-key-header-opens-bucket': openedBy('X-Api-Key'),
  'long-body-opens-bucket': openedBy('a PATCH with a long body'),
  'cookie-opens-bucket': openedBy('headers of a session'),
  'proxy-header-opens-bucket': openedBy('other headers of proxies'),
  'forwarded-for-opens-bucket': openedBy('X-Forwarded-For', 'another X-Forwarded-For'),
  'accept-opens-bucket': openedBy('another Accept'),
  'encoding-opens-bucket': openedBy('another Accept-Encoding'),
  'method-override-opens-bucket': openedBy('X-HTTP-Method-Override'),
  'query-opens-bucket': openedBy('a query string', 'another query string'),
  'path-spelling-opens-bucket': openedBy('a percent-encoded letter'),
  'operation-opens-bucket': openedBy('a PATCH of another pet', 'a third operation', 'another operation'),
  'pet-opens-bucket': openedBy('a PATCH of another pet'),
}

const told = (facts: Diagnosed['facts'], wanted: Diagnosed['facts']): boolean =>
  Object.entries(wanted).every(([name, value]) => JSON.stringify(facts[name]) === JSON.stringify(value))

/** Whether the fault was diagnosed correctly wherever it showed; a fault that breaks no quota has no diagnosis. */
export const isDiagnosed = (fault: string, diagnosed: readonly Diagnosed[]): boolean => {
  const expected = expectedDiagnoses[fault]
  if (!expected) return diagnosed.length === 0
  const isIt = ({ looksLike, facts }: Diagnosed) =>
    expected.looksLike.includes(looksLike) && told(facts, expected.facts ?? {})
  return diagnosed.length > 0 && diagnosed.every(isIt)
}

/**
 * Whether a trial is exact, and its target correctly diagnosed. The diagnosis of a contract's broken quota does not count,
 * because not all of them can be told from their look-alikes.
 */
export const isExactAndDiagnosed = (
  trial: Pick<PlannedTrial, 'kind' | 'id' | 'expected' | 'contract' | 'areTold'>,
  outcome: Parameters<typeof isExact>[1] & { readonly diagnosed: readonly Diagnosed[] },
): boolean =>
  isExact(trial, outcome) && (trial.kind === 'variation' || !trial.areTold || isDiagnosed(trial.id, outcome.diagnosed))
