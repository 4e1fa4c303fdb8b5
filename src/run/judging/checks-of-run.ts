import type { Check } from '../../checks/framework/check.js'
import { algorithm } from '../../checks/quota/algorithm.js'
import { notOverAdmitted } from '../../checks/quota/not-over-admitted.js'
import { notRefusedEarly } from '../../checks/quota/not-refused-early.js'
import { plansApart } from '../../checks/quota/plans-apart.js'
import { spellingsCheck } from '../../checks/quota/spellings.js'
import { vantages } from '../../checks/quota/vantages.js'
import { fieldsOnce } from '../../checks/rate/fields-once.js'
import { headersPresent } from '../../checks/rate/headers-present.js'
import { limitOfPlan } from '../../checks/rate/limit-of-plan.js'
import { remainingFalls } from '../../checks/rate/remaining-falls.js'
import { remainingInBurst } from '../../checks/rate/remaining-in-burst.js'
import { remainingInRange } from '../../checks/rate/remaining-in-range.js'
import { remainingKept } from '../../checks/rate/remaining-kept.js'
import { remainingRepeated } from '../../checks/rate/remaining-repeated.js'
import { resetHonest } from '../../checks/rate/reset-honest.js'
import { resetIsTimestamp } from '../../checks/rate/reset-is-timestamp.js'
import { resetWithinWindow } from '../../checks/rate/reset-within-window.js'
import { banCheck } from '../../checks/throttle/ban.js'
import { blockAsAgreed } from '../../checks/throttle/block-as-agreed.js'
import { compliantNotBanned } from '../../checks/throttle/compliant-not-banned.js'
import { notCacheable } from '../../checks/throttle/not-cacheable.js'
import { refusedAsAgreed } from '../../checks/throttle/refused-as-agreed.js'
import { refusedAtOnce } from '../../checks/throttle/refused-at-once.js'
import { retryAfterForm } from '../../checks/throttle/retry-after-form.js'
import { retryAfterHonest } from '../../checks/throttle/retry-after-honest.js'
import { retryAfterNotLong } from '../../checks/throttle/retry-after-not-long.js'
import { retryAfterPresent } from '../../checks/throttle/retry-after-present.js'
import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { type ContractClauseId, contractSentence, levelByContract } from '../../contract/clauses-of-contract.js'
import { contractForQuota } from '../../contract/partitions.js'
import type { RunHead } from '../../evidence/journal.js'
import { checks } from '../../petstore/checks/all.js'

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
  const contract = { ...contractForQuota(whole, quota), quotas: [quota] }
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
