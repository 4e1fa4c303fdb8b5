import { limiterName } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import type { BlockReason, RunEndCause, SkipReason } from '../../evidence/journal.js'
import { count, formatClosely, formatDuration } from '../../kit/words.js'
import type { DefectId, Diagnosis } from '../../oracle/diagnosis/diagnosis.js'
import type { DoubtReason } from '../../oracle/judge-quota.js'
import type { Fact } from '../../verdict/verdict.js'

/** A number of a diagnosis, for people; anything else stays as it is. */
const counted = (fact: Fact | undefined): string => (typeof fact === 'number' ? count(fact) : String(fact))

/** What a broken limiter looks like, by the diagnosis that the oracle gives. */
const looksLike: Readonly<Record<DefectId, (facts: Diagnosis['facts']) => string>> = {
  'no-limit': ({ admitted }) => `no limit at all: all ${counted(admitted)} were admitted`,
  'keys-share-bucket': () => 'keys that share one bucket',
  'routes-count-alone': () => 'routes that each have their own count',
  'counts-forgotten': ({ byMs }) =>
    `counts that were lost about ${formatDuration(Number(byMs))} into the run, as in a restart`,
  'quota-never-returns': () => 'a quota that never comes back',
  'first-request-free': () => 'a first request that is not counted',
  'limit-lower-by-one': ({ limit }) => `a limit of ${counted(limit)}: one too few`,
  'limit-higher-by-one': ({ limit }) => `a limit of ${counted(limit)}: one too many`,
  'limit-of-another-plan': ({ plan, limit }) => `the limit of the ${planName(String(plan))} plan, ${counted(limit)}`,
  'requests-count-twice': ({ from }) =>
    `requests that each count twice${from === 'minute-refusal' ? ', after the minute has refused one' : ''}`,
  'nodes-count-alone': ({ nodes, most }) => `${nodes} nodes${most ? ' or more' : ''} that each count alone`,
  'nodes-share-limit': ({ nodes, limit }) => `${nodes} nodes that each keep a share of the limit: ${counted(limit)}`,
  'window-shorter': ({ windowMs }) => `a window of ${formatClosely(Number(windowMs))}, too short`,
  'window-longer': ({ windowMs }) => `a window of ${formatClosely(Number(windowMs))}, too long`,
  'window-in-cells': () => 'a window that is counted in parts, and forgets each part too soon',
  'bucket-loses-tokens': () => 'a bucket that loses a fraction of a token at each request',
  'every-request-renews': () => 'a window that every request restarts',
  'refusals-push-window': () => 'refused requests that extend the window',
  'refusals-count': () => 'refused requests that count',
  'first-of-window-refused': () => 'a refused first request in each window, and a second one that begins it',
  'sub-window': ({ limit, windowMs }) =>
    `a second limit of ${counted(limit)} in each ${formatDuration(Number(windowMs))}`,
  'check-apart-from-count': () => 'a check that is separate from the count: a race that a burst wins',
  'other-model': ({ model }) => `${limiterName(String(model))}, which the contract does not allow`,
  'other-burst': ({ burst }) => `a bucket that holds ${counted(burst)}`,
  'other-cost': ({ request, cost }) =>
    cost === undefined ? `another cost of each ${request}` : `a cost of ${counted(cost)} of each ${request}`,
  'cost-cut-to-left': ({ request, cost }) =>
    `a charge for ${request} that is cut to what is left${cost === undefined ? '' : `, or a cost of ${counted(cost)} of each`}`,
  'other-limit': ({ limit }) => `a limit of ${counted(limit)}`,
}

export const diagnosisInWords = (id: DefectId, facts: Diagnosis['facts']): string => looksLike[id](facts)

export const diagnosisFacts = (diagnosis: Diagnosis | null) => ({
  looksLike: diagnosis?.id ?? null,
  looksLikeFacts: { ...diagnosis?.facts },
})

/** Why the oracle says nothing about a history. */
export const doubtInWords: Readonly<Record<DoubtReason, string>> = {
  'key-not-quiet': 'Remaining fell by more than this run sent: somebody else used the key, or Remaining is cached',
  'limit-never-reached': 'too few requests were sent and answered within one window to reach the limit',
  'answers-lost': 'too many answers were lost to tell how many requests were admitted',
  'generator-late': 'this machine could not send the load on time',
  'clock-unsure':
    "an agent's clock was not known to within 5 ms, or it moved: its error could hide a breach (see the vantage points)",
  'load-ended-early': 'the load ended before it had sent everything',
  'used-before':
    'others may have used the key before this run, which would explain this (if not, set unused: true in the scenario)',
  'day-may-have-ended': 'only a day that ended during the run would explain this, and no answer says that one did',
}

const obstacles: Readonly<Record<SkipReason | BlockReason | RunEndCause | 'interrupted' | 'not played', string>> = {
  'inventory-empty': 'the inventory is empty',
  'no-large-ids': 'no pet has an id above 2^53',
  'read-only': '--read-only: the run sends no PATCH that could succeed',
  'day-too-small': "too little is left of the key's day, or of a longer quota",
  'inventory-unreadable': 'GET /inventory returned no readable list',
  'still-refused': 'the target kept refusing after each wait that it had named',
  'day-spent': 'the daily quota is spent',
  'no-answer': 'the target gave no answer',
  'agents-lost': 'no agent was left to send its load',
  'load-not-allowed': 'load on this target is not allowed; pass --allow-load',
  'long-wait':
    "the target named a wait of several windows: a longer quota, such as a day's, may be spent, or the key banned",
  'server-errors': 'the target answered an earlier load with 5xx, so no more load was sent',
  'requests-spent': 'its planned requests ran out before it ended',
  'time-limit': 'the time limit of the run was reached',
  'target-silent': 'the target stopped answering',
  'event-failed': 'the command of an event failed',
  'journal-broken': 'the journal could no longer be written',
  'one-key-a-plan': 'no plan has a second key',
  'no-key-to-spare': 'it needs a second key of a smaller plan that it may spend (release-gate spends the only one)',
  interrupted: 'interrupted',
  'not played': 'the run ended before its turn',
}

const isObstacle = (reason: string): reason is keyof typeof obstacles => Object.hasOwn(obstacles, reason)

/** Why a probe was not played, or not to its end. The message of a crash stays as it is. */
export const obstacleInWords = (reason: string): string => (isObstacle(reason) ? obstacles[reason] : reason)
