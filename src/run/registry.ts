import type { Check } from '../checks/framework/check.js'
import { eventsAllowed, eventsSeen } from '../checks/quota/events.js'
import { notOverAdmitted, notRefusedEarly } from '../checks/quota/limit-kept.js'
import { plansApart } from '../checks/quota/plans-apart.js'
import { algorithm, cost, vantages } from '../checks/quota/seen.js'
import { spellingsCheck } from '../checks/quota/spellings.js'
import { fieldsOnce, headersPresent, limitOfPlan, plainHeaders } from '../checks/rate/headers.js'
import { remainingFalls } from '../checks/rate/remaining-falls.js'
import { remainingInBurst, remainingInRange } from '../checks/rate/remaining-in-range.js'
import { remainingKept, remainingRepeated } from '../checks/rate/remaining-kept.js'
import { remainingNotTooLow } from '../checks/rate/remaining-not-too-low.js'
import { resetHonest } from '../checks/rate/reset-honest.js'
import { resetIsTimestamp, resetWithinWindow } from '../checks/rate/reset-is-timestamp.js'
import { banCheck } from '../checks/throttle/ban.js'
import { blockAsAgreed } from '../checks/throttle/block-as-agreed.js'
import { compliantNotBanned } from '../checks/throttle/compliant-not-banned.js'
import { notCacheable, refusedAsAgreed, refusedAtOnce } from '../checks/throttle/refusals.js'
import { retryAfterForm, retryAfterNotLong, retryAfterPresent } from '../checks/throttle/retry-after.js'
import { retryAfterHonest } from '../checks/throttle/retry-after-honest.js'
import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import { clausesOf } from '../contract/clauses.js'
import { contractForQuota } from '../contract/partitions.js'
import type { RunHead } from '../evidence/journal.js'
import {
  beforeAnythingElse,
  challenge,
  deniedChangesNothing,
  keyCase,
  keyElsewhereCheck,
  noKeyCheck,
  openFormsCheck,
  otherForms,
  schemeCaseCheck,
  unknownKeyCheck,
  validKey,
} from '../petstore/checks/auth.js'
import { codeForMachines, errorBodyCheck, noServerError, refusalBody, statusAgrees } from '../petstore/checks/errors.js'
import {
  deprecation,
  jsonBodies,
  looseRequestsCheck,
  operationsExist,
  otherOperationsCheck,
  stability,
  unknownPathCheck,
  versionPrefix,
} from '../petstore/checks/interface.js'
import { idsListedOnce, list, listIsCurrent, neighbours } from '../petstore/checks/inventory-lists.js'
import {
  invalidValues,
  lackingQuantity,
  refusalsChangeNothing,
  refusedWrite,
  unknownPetCheck,
} from '../petstore/checks/inventory-refusals.js'
import {
  boundsKeptExactly,
  boundsListedExactly,
  quantityBoundsCheck,
  updateAnswer,
} from '../petstore/checks/inventory-updates.js'
import {
  modelAbsentRefused,
  modelAgrees,
  modelInvalidRefused,
  modelRefusedUnchanged,
  modelValidUpdates,
} from '../petstore/checks/inventory-walks.js'
import { accountingCheck, dayLimit, enterpriseAsAgreed, keysOfAPlan } from '../petstore/checks/quota.js'
import { remainingByOperation } from '../petstore/checks/remaining-by-operation.js'
import { furtherFields, largeIds, petIdField, quantityField, statusField } from '../petstore/checks/schema.js'

/**
 * Every check, by area. A new one is a definition, and a line here. Whether it is for any quota or for pets, its clause says:
 * other APIs are held to those that are worded for any quota. Where a check is narrower than its clause, `of` says so.
 */
const defined = [
  jsonBodies,
  versionPrefix,
  furtherFields,
  largeIds,
  petIdField,
  quantityField,
  statusField,
  boundsKeptExactly,
  boundsListedExactly,
  idsListedOnce,
  invalidValues,
  lackingQuantity,
  listIsCurrent,
  list,
  looseRequestsCheck,
  modelAbsentRefused,
  modelAgrees,
  modelInvalidRefused,
  modelRefusedUnchanged,
  modelValidUpdates,
  neighbours,
  operationsExist,
  otherOperationsCheck,
  quantityBoundsCheck,
  refusalsChangeNothing,
  refusedWrite,
  unknownPetCheck,
  updateAnswer,
  beforeAnythingElse,
  challenge,
  deniedChangesNothing,
  keyCase,
  keyElsewhereCheck,
  noKeyCheck,
  openFormsCheck,
  otherForms,
  schemeCaseCheck,
  unknownKeyCheck,
  validKey,
  codeForMachines,
  errorBodyCheck,
  noServerError,
  refusalBody,
  statusAgrees,
  unknownPathCheck,
  headersPresent,
  limitOfPlan,
  plainHeaders,
  remainingFalls,
  remainingByOperation,
  remainingInRange,
  remainingInBurst,
  remainingKept,
  remainingNotTooLow,
  remainingRepeated,
  resetIsTimestamp,
  resetWithinWindow,
  resetHonest,
  fieldsOnce,
  algorithm,
  cost,
  dayLimit,
  keysOfAPlan,
  accountingCheck,
  enterpriseAsAgreed,
  eventsAllowed,
  eventsSeen,
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
  deprecation,
  stability,
]

/** Any of them, with what it can find. */
export type DefinedCheck = (typeof defined)[number]

export const allChecks: readonly Check[] = defined

/** The checks of the Petstore. */
export const checks: readonly Check[] = allChecks.filter(({ of }) => of !== 'contract-file')

/** A check of one quota of a contract file, at the level that the contract gives to what it promises of that quota. */
const ofQuota = (check: Check, whole: ApiContract, quota: QuotaSpec): Check[] => {
  const contract = { ...contractForQuota(whole, quota), quotas: [quota] }
  const clause = clausesOf(contract).find(({ id }) => id === check.clauses[0])
  if (!clause || check.of === 'petstore' || check.judges?.(contract, quota) === false) return []
  const { level, sentence } = clause
  // What it promises is said in the words of the contract's own clause.
  return [{ ...check, id: `${check.id}:${quota.id}`, promise: sentence, level: check.level ?? level, quota: quota.id }]
}

/** The checks that a run is judged by: the Petstore's, or those of any quota for each quota of its contract. */
export const checksOf = ({ contract, events }: Pick<RunHead, 'contract' | 'events'>): readonly Check[] => {
  const all = contract
    ? contract.quotas.flatMap((quota) => allChecks.flatMap((each) => ofQuota(each, contract, quota)))
    : checks
  // Where nothing is to happen, there is nothing to be said of it.
  return events ? all : all.filter(({ acrossEvents }) => !acrossEvents)
}
