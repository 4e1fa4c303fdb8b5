import type { DefectId } from '../../oracle/diagnosis/diagnosis.js'
import type { Fact, Finding } from '../../verdict/verdict.js'

/**
 * What a server's team looks at first where a check fails: one plain sentence of at most 20 words, by what was found where
 * that says more.
 */
export type Advice = string | ((finding: Pick<Finding, 'code' | 'facts'>) => string)

const reset = 'Look at what sets back the count: a window has to end when its time is up, whatever comes meanwhile.'

/** Where a broken limiter is likely to be broken, by what it looks like. */
export const ofLimiter: Readonly<Record<DefectId, string>> = {
  'no-limit': 'Look at whether the limiter stands before this route at all, and is switched on here.',
  'keys-share-bucket': "Look at what the limiter's key is made of: each API key needs a count of its own.",
  'routes-count-alone': "Look at what the limiter's key is made of: the route does not belong into it.",
  'quota-never-returns': 'Look at the expiry of the count: it is never set, or is renewed for ever.',
  'first-request-free': 'Look at where a count begins: the request that creates it has to count as one.',
  'limit-lower-by-one': 'Look at the comparison with the limit: it refuses at the limit, not beyond it (< or <=).',
  'limit-higher-by-one':
    "Look at the comparison with the limit (<= or <), and whether a window's first request counts.",
  'limit-of-another-plan': 'Look at how a key is turned into its plan: this one gets the limit of another.',
  'requests-count-twice': 'Look at whether the limiter is mounted twice, or counts in two places for one request.',
  'nodes-count-alone': 'Look at where the count is kept: each node has its own, and they have to share one.',
  'window-shorter': "Look at the length of the limiter's window, or at the expiry of its count: it ends too soon.",
  'window-longer': "Look at the length of the limiter's window, or at the expiry of its count: it ends too late.",
  'every-request-renews': reset,
  'refusals-push-window': reset,
  'refusals-count': 'Look at when the count goes up: a request that is refused must not count.',
  'check-apart-from-count':
    'Look at whether checking and counting are one atomic step: requests at the same time slip between.',
  'other-model': 'Look at which algorithm the limiter uses: the contract allows another.',
  'other-burst': "Look at the size of the limiter's bucket: it is not the agreed one.",
  'other-limit': "Look at the limit in the limiter's settings: it is not the agreed one.",
}

const isKnown = (id: Fact | undefined): id is DefectId => typeof id === 'string' && Object.hasOwn(ofLimiter, id)

/** Advice by what the limiter looks like; where that is not known, the other one. */
export const byDiagnosis =
  (otherwise: string): Advice =>
  ({ facts: { looksLike } }) =>
    isKnown(looksLike) ? ofLimiter[looksLike] : otherwise

/** Advice by the code of what was found; the other one for all codes that are not named. */
export const byCode =
  (otherwise: string, codes: Readonly<Record<string, string>>): Advice =>
  ({ code }) =>
    Object.hasOwn(codes, code) ? codes[code] : otherwise

/** The sentence for a finding. */
export const adviceFor = (advice: Advice, finding: Pick<Finding, 'code' | 'facts'>): string =>
  typeof advice === 'string' ? advice : advice(finding)
