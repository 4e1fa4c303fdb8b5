import type { ApiContract, QuotaSpec } from '../contract/any/api-contract.js'
import { type ContractClauseId, contractSentence, levelByContract } from '../contract/any/clauses-of-contract.js'
import { contractOf } from '../contract/any/partitions.js'
import type { RunHead } from '../evidence/journal.js'
import { checks } from './all.js'
import type { Check } from './law/check.js'
import { algorithm } from './quota/algorithm.js'
import { notOverAdmitted } from './quota/not-over-admitted.js'
import { notRefusedEarly } from './quota/not-refused-early.js'
import { plansApart } from './quota/plans-apart.js'
import { spellingsCheck } from './quota/spellings.js'
import { vantages } from './quota/vantages.js'
import { fieldsOnce } from './rate/fields-once.js'
import { headersPresent } from './rate/headers-present.js'
import { limitOfPlan } from './rate/limit-of-plan.js'
import { remainingFalls } from './rate/remaining-falls.js'
import { remainingInBurst } from './rate/remaining-in-burst.js'
import { remainingInRange } from './rate/remaining-in-range.js'
import { remainingKept } from './rate/remaining-kept.js'
import { remainingRepeated } from './rate/remaining-repeated.js'
import { resetHonest } from './rate/reset-honest.js'
import { resetIsTimestamp } from './rate/reset-is-timestamp.js'
import { resetWithinWindow } from './rate/reset-within-window.js'
import { banCheck } from './throttle/ban.js'
import { blockAsAgreed } from './throttle/block-as-agreed.js'
import { compliantNotBanned } from './throttle/compliant-not-banned.js'
import { notCacheable } from './throttle/not-cacheable.js'
import { refusedAsAgreed } from './throttle/refused-as-agreed.js'
import { refusedAtOnce } from './throttle/refused-at-once.js'
import { retryAfterForm } from './throttle/retry-after-form.js'
import { retryAfterHonest } from './throttle/retry-after-honest.js'
import { retryAfterNotLong } from './throttle/retry-after-not-long.js'
import { retryAfterPresent } from './throttle/retry-after-present.js'

const defined = [
  headersPresent,
  limitOfPlan,
  remainingFalls,
  remainingInRange,
  remainingInBurst,
  remainingKept,
  remainingRepeated,
  resetIsTimestamp,
  resetWithinWindow,
  resetHonest,
  fieldsOnce,
  algorithm,
  notOverAdmitted,
  plansApart,
  notRefusedEarly,
  spellingsCheck,
  vantages,
  banCheck,
  blockAsAgreed,
  compliantNotBanned,
  notCacheable,
  refusedAsAgreed,
  refusedAtOnce,
  retryAfterForm,
  retryAfterNotLong,
  retryAfterHonest,
  retryAfterPresent,
]

/** What is judged of any quota, whatever API it belongs to. */
export const checksOfAnyQuota: readonly Check[] = defined

/** One of them, with what it can find. */
export type CheckOfAnyQuota = (typeof defined)[number]

/** A check of a quota, at the level that the contract gives to what it promises of that quota. */
const checkOf = (check: Check, whole: ApiContract, quota: QuotaSpec): Check[] => {
  const contract = { ...contractOf(whole, quota), quotas: [quota] }
  const [id] = check.clauses as readonly ContractClauseId[]
  const level = levelByContract(contract, id)
  if (level === undefined || check.judges?.(contract, quota) === false) return []
  // What it promises is said in the words of the contract's own clause.
  const promise = contractSentence(id)
  return [{ ...check, id: `${check.id}:${quota.id}`, promise, level: check.level ?? level, quota: quota.id }]
}

/** The checks that a run is judged by: those of the bundled contract, or each of any quota for every quota of its own. */
export const checksOf = ({ contract }: Pick<RunHead, 'contract'>): readonly Check[] =>
  contract
    ? contract.quotas.flatMap((quota) => checksOfAnyQuota.flatMap((each) => checkOf(each, contract, quota)))
    : checks
