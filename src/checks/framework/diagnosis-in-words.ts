import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { formatDuration } from '../../kit/duration.js'
import type { DefectId, Diagnosis } from '../../oracle/diagnosis/diagnosis.js'
import type { Fact } from '../../verdict/verdict.js'

/** A number of a diagnosis for people; what is none stays as it is. */
const counted = (fact: Fact | undefined): string => (typeof fact === 'number' ? count(fact) : String(fact))

/** What a broken limiter looks like, by the diagnosis that the oracle gives. */
const looksLike: Readonly<Record<DefectId, (facts: Diagnosis['facts']) => string>> = {
  'no-limit': ({ admitted }) => `no limit at all: all ${counted(admitted)} were admitted`,
  'keys-share-bucket': () => 'keys that share one bucket',
  'routes-count-alone': () => 'routes that each have a count of their own',
  'quota-never-returns': () => 'a quota that never comes back',
  'first-request-free': () => 'a first request that is not counted',
  'limit-lower-by-one': ({ limit }) => `a limit of ${counted(limit)}: one too few`,
  'limit-higher-by-one': ({ limit }) => `a limit of ${counted(limit)}: one too many`,
  'limit-of-another-plan': ({ plan, limit }) => `the limit of the ${planName(String(plan))} plan, ${counted(limit)}`,
  'requests-count-twice': ({ from }) =>
    `requests that each count twice${from === 'minute-refusal' ? ', once the minute has refused one' : ''}`,
  'nodes-count-alone': ({ nodes }) => `${nodes} nodes that each count alone`,
  'window-shorter': ({ windowMs }) => `a window of ${formatDuration(Number(windowMs))}, shorter than said`,
  'window-longer': ({ windowMs }) => `a window of ${formatDuration(Number(windowMs))}, longer than said`,
  'every-request-renews': () => 'a window that every request renews',
  'refusals-push-window': () => 'refused requests that push the window on',
  'refusals-count': () => 'refused requests that count',
  'check-apart-from-count': () => 'a check apart from its count: a race that a burst wins',
  'other-model': ({ model }) => `a ${model} limiter, which the contract does not admit`,
  'other-burst': ({ burst }) => `a bucket that holds ${counted(burst)}`,
  'other-limit': ({ limit }) => `a limit of ${counted(limit)}`,
}

/** The diagnosis in words, for the table of quotas. */
export const diagnosisInWords = (id: DefectId, facts: Diagnosis['facts']): string => looksLike[id](facts)

/** A diagnosis as the facts of a finding. */
export const diagnosisFacts = (diagnosis: Diagnosis | null) => ({
  looksLike: diagnosis?.id ?? null,
  looksLikeFacts: { ...diagnosis?.facts },
})

/** The same as the end of a sentence; empty where nothing known fits. */
export const looksLikeInWords = ({ looksLike: id, looksLikeFacts }: ReturnType<typeof diagnosisFacts>): string =>
  id === null ? '' : ` This looks like ${diagnosisInWords(id, looksLikeFacts)}.`
