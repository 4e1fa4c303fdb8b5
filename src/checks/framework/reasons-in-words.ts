import type { BlockReason, RunEndCause, SkipReason } from '../../evidence/journal.js'
import type { DoubtReason } from '../../oracle/judge-quota.js'
import type { Refutation } from '../../oracle/models/explanation.js'

/** What a target did that the limiter model would not. */
export const refutationInWords: Readonly<Record<Refutation['reason'], string>> = {
  'over-admission': 'more was admitted than it could have let through',
  'early-refusal': 'something was refused while it certainly had quota left',
  both: 'more was admitted, and other requests refused, than it could have',
}

/** Why the oracle says nothing about a history. */
export const doubtInWords: Readonly<Record<DoubtReason, string>> = {
  'key-not-quiet':
    'Remaining fell by more than this run sent: somebody else was using the key, or what is shown lags behind (a cached Remaining)',
  'limit-never-reached': 'too little was sent and answered within one window for the limit to refuse any of it',
  'limit-not-pinned':
    'what came out fits a limiter that still counted earlier requests, and a limit of one less or one more just as well',
  'answers-lost': 'too many answers were lost to tell how many requests were admitted',
  'generator-late': 'this machine could not send the load on time',
  'clock-unsure':
    'the clock of an agent was not known to within 5 ms, or moved: a breach could be hidden in its error (see the vantage points)',
  'load-ended-early': 'the load ended before all of it was sent',
  'used-before':
    'the key may have been used before this run, which would explain what was seen (if it was not, say unused: true in the scenario)',
}

const obstacles: Readonly<Record<SkipReason | BlockReason | RunEndCause | 'interrupted' | 'not played', string>> = {
  'inventory-empty': 'the inventory is empty',
  'no-large-ids': 'no pet has an id above 2^53',
  'read-only': 'the run was told to send no PATCH that could succeed (--read-only)',
  'day-too-small': "what is left of the key's day is too little for it",
  'inventory-unreadable': 'GET /inventory gave no list that could be read',
  'still-refused': 'the target went on refusing after every wait that it had asked for',
  'day-spent': 'the quota of the day is spent',
  'no-answer': 'the target gave no answer',
  'agents-lost': 'no agent was left to send its load',
  'load-not-allowed': 'load was not allowed to go to the target; --allow-load allows it',
  'long-wait':
    'the target asked for a wait longer than several windows, as where the day of a key is spent, or under a ban',
  'server-errors': 'the target answered an earlier load with 5xx, so no more load was sent',
  'time-limit': 'the time limit of the run was reached',
  'target-silent': 'the target stopped answering',
  'journal-broken': 'the journal could not be written any more',
  'one-key-a-plan': 'no plan has a second key',
  'no-key-to-spare':
    'it takes a second key of a smaller plan, so that one can be spent (release-gate spends the only one)',
  interrupted: 'interrupted',
  'not played': 'the run ended before its turn',
}

const isObstacle = (reason: string): reason is keyof typeof obstacles => Object.hasOwn(obstacles, reason)

/** Why a probe was not played, or not to its end; what a crash said is told as it is. */
export const obstacleInWords = (reason: string): string => (isObstacle(reason) ? obstacles[reason] : reason)
