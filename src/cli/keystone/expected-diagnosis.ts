import type { Fact } from '../../verdict/verdict.js'
import type { Diagnosed, Likeness } from './diagnosed.js'

/** What a fault has to be taken for on every plan that fails, and the facts that have to be told with it. */
export interface ExpectedDiagnosis {
  /** What it is, and what the requests of a run do not tell from it. */
  readonly looksLike: readonly Likeness[]
  readonly facts?: Readonly<Record<string, Fact>>
}

const oneMore: ExpectedDiagnosis = { looksLike: ['limit-higher-by-one'] }
const oneLess: ExpectedDiagnosis = { looksLike: ['limit-lower-by-one'] }
const race: ExpectedDiagnosis = { looksLike: ['check-apart-from-count'] }

/** Quotas that come back later the more is asked: a run that sees one come back late twice or thrice has no more to go by. */
const late = (likeness: Likeness): ExpectedDiagnosis => ({
  looksLike: [likeness, 'every-request-renews', 'refusals-push-window', 'refusals-count', 'window-longer'],
})

const openedBy = (...spellings: readonly string[]): ExpectedDiagnosis => ({
  looksLike: ['spelling-opens-quota'],
  facts: { spellings },
})

/** By the fault's id. It stands here and not beside the fault: what a fault looks like is the judge's word for it. */
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
  // One more in each window either way: only the moment at which the window ends differs, by as long as a request takes.
  'first-request-free': { looksLike: ['first-request-free', 'limit-higher-by-one'] },
  'window-opener-not-counted': oneMore,
  // A limiter that loses every second count admits what two nodes do.
  'counts-lost': { looksLike: ['nodes-count-alone'], facts: { nodes: 2 } },
  'requests-count-twice': { looksLike: ['requests-count-twice'] },
  'refused-requests-count': late('refusals-count'),
  'refused-requests-renew-the-window': late('refusals-push-window'),
  'every-request-renews-the-window': late('every-request-renews'),
  'quota-never-comes-back': late('quota-never-returns'),
  'day-limit-plus-one': oneMore,
  'day-limit-minus-one': oneLess,
  'day-limit-ignored': { looksLike: ['no-limit'] },
  // A day that never refuses is one without a limit, whatever made it forget.
  'day-begins-again-each-minute': { looksLike: ['no-limit'] },
  'day-count-stops-after-minute-refusal': { looksLike: ['no-limit'] },
  'day-counts-double-after-minute-refusal': { looksLike: ['requests-count-twice'] },
  'plan-ignored': { looksLike: ['limit-of-another-plan'], facts: { plan: 'free' } },
  'plans-share-a-bucket': { looksLike: ['keys-share-bucket'] },
  'enterprise-limit-plus-one': oneMore,
  // Half of the requests, or each of them twice: from outside it is the same.
  'enterprise-limit-halved': { looksLike: ['requests-count-twice'] },
  'scheme-case-opens-bucket': openedBy('scheme in lower case', 'scheme in upper case'),
  'forwarded-for-opens-bucket': openedBy('X-Forwarded-For', 'another X-Forwarded-For'),
  'accept-opens-bucket': openedBy('another Accept'),
  'query-opens-bucket': openedBy('a query string', 'another query string'),
  'path-spelling-opens-bucket': openedBy('a percent-encoded letter'),
  'operation-opens-bucket': openedBy('a PATCH of another pet', 'a third operation', 'another operation'),
  'pet-opens-bucket': openedBy('a PATCH of another pet'),
}

const told = (facts: Diagnosed['facts'], wanted: Diagnosed['facts']): boolean =>
  Object.entries(wanted).every(([name, value]) => JSON.stringify(facts[name]) === JSON.stringify(value))

/** Whether the fault was taken for what it is, wherever it showed; one that breaks no quota, for nothing. */
export const isDiagnosed = (fault: string, diagnosed: readonly Diagnosed[]): boolean => {
  const expected = expectedDiagnoses[fault]
  if (!expected) return diagnosed.length === 0
  const isIt = ({ looksLike, facts }: Diagnosed) =>
    looksLike !== null && expected.looksLike.includes(looksLike) && told(facts, expected.facts ?? {})
  return diagnosed.length > 0 && diagnosed.every(isIt)
}
