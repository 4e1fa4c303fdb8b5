import { agreedBlockMs } from '../contract/any/agreed-block.js'
import type { ApiContract, QuotaSpec } from '../contract/any/api-contract.js'
import { type ContractClauseId, contractSentence, levelByContract } from '../contract/any/clauses-of-contract.js'
import { contractOf } from '../contract/any/partitions.js'
import type { Level } from '../contract/clauses.js'
import type { RunHead } from '../evidence/journal.js'
import { checks } from './all.js'
import type { Check } from './law/check.js'
import { algorithm } from './quota/algorithm.js'
import { notOverAdmitted } from './quota/not-over-admitted.js'
import { notRefusedEarly } from './quota/not-refused-early.js'
import { plansApart } from './quota/plans-apart.js'
import { spellingsCheck } from './quota/spellings.js'
import { fieldsOnce } from './rate/fields-once.js'
import { headersPresent } from './rate/headers-present.js'
import { limitOfPlan } from './rate/limit-of-plan.js'
import { remainingFalls } from './rate/remaining-falls.js'
import { remainingInBurst } from './rate/remaining-in-burst.js'
import { remainingInRange } from './rate/remaining-in-range.js'
import { remainingKept } from './rate/remaining-kept.js'
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

/** What is judged of any quota, whatever API it belongs to. */
export const checksOfAnyQuota: readonly Check[] = [
  headersPresent,
  limitOfPlan,
  remainingFalls,
  remainingInRange,
  remainingInBurst,
  remainingKept,
  resetIsTimestamp,
  resetWithinWindow,
  resetHonest,
  fieldsOnce,
  algorithm,
  notOverAdmitted,
  plansApart,
  notRefusedEarly,
  spellingsCheck,
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

/** Where requests cost different amounts, what remains may fall by any of them. */
const ofEqualCosts: ReadonlySet<Check> = new Set([remainingInBurst, remainingKept])

/** Whether the request that rows and loads are made of costs one, whatever others cost. */
const ordinaryCostsOne = ({ by, cost, probes }: QuotaSpec): boolean =>
  (by === 'credential+probe' ? probes : probes.slice(0, 1)).every((probe) => (cost[probe] ?? 1) === 1)

/** The promises that only some quotas can keep or break. */
const canJudge = (check: Check, contract: ApiContract, quota: QuotaSpec): boolean => {
  if (check === blockAsAgreed) return agreedBlockMs(contract) !== undefined
  if (check === remainingFalls) return ordinaryCostsOne(quota)
  if (ofEqualCosts.has(check)) return Object.values(quota.cost).every((cost) => cost === 1)
  return true
}

const gravity: Readonly<Record<Level, number>> = { observe: 0, should: 1, must: 2 }
const milder = (one: Level, other: Level): Level => (gravity[one] <= gravity[other] ? one : other)

const checkOf = (check: Check, whole: ApiContract, quota: QuotaSpec): Check[] => {
  const contract = contractOf(whole, quota)
  const levels = check.clauses.flatMap((id) => levelByContract(contract, id as ContractClauseId) ?? [])
  if (levels.length === 0 || !canJudge(check, contract, quota)) return []
  const [level] = levels
  const own = check.clauses.some((id) => id.startsWith('QUOTA-')) ? milder(level, quota.level) : level
  const [clause] = check.clauses
  // What it promises is said in the words of the contract's own clause.
  const promise = contractSentence(clause as ContractClauseId)
  return [{ ...check, id: `${check.id}:${quota.id}`, promise, level: check.level ?? own, quota: quota.id }]
}

/** The checks that a run is judged by: those of the bundled contract, or each of any quota for every quota of its own. */
export const checksOf = ({ contract }: Pick<RunHead, 'contract'>): readonly Check[] =>
  contract
    ? contract.quotas.flatMap((quota) => checksOfAnyQuota.flatMap((each) => checkOf(each, contract, quota)))
    : checks
