import type { Check } from '../../checks/framework/check.js'
import { algorithm } from '../../checks/quota/algorithm.js'
import { cost } from '../../checks/quota/cost.js'
import { notOverAdmitted } from '../../checks/quota/not-over-admitted.js'
import { notRefusedEarly } from '../../checks/quota/not-refused-early.js'
import { plansApart } from '../../checks/quota/plans-apart.js'
import { spellingsCheck } from '../../checks/quota/spellings.js'
import { vantages } from '../../checks/quota/vantages.js'
import { fieldsOnce } from '../../checks/rate/fields-once.js'
import { headersPresent } from '../../checks/rate/headers-present.js'
import { limitOfPlan } from '../../checks/rate/limit-of-plan.js'
import { plainHeaders } from '../../checks/rate/plain-headers.js'
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
import { clausesOf } from '../../contract/clauses.js'
import { contractForQuota } from '../../contract/partitions.js'
import type { RunHead } from '../../evidence/journal.js'
import { beforeAnythingElse } from '../../petstore/checks/auth/before-anything-else.js'
import { challenge } from '../../petstore/checks/auth/challenge.js'
import { deniedChangesNothing } from '../../petstore/checks/auth/denied-changes-nothing.js'
import { keyCase } from '../../petstore/checks/auth/key-case.js'
import { keyElsewhereCheck } from '../../petstore/checks/auth/key-elsewhere.js'
import { noKeyCheck } from '../../petstore/checks/auth/no-key.js'
import { openFormsCheck } from '../../petstore/checks/auth/open-forms.js'
import { otherForms } from '../../petstore/checks/auth/other-forms.js'
import { schemeCaseCheck } from '../../petstore/checks/auth/scheme-case.js'
import { unknownKeyCheck } from '../../petstore/checks/auth/unknown-key.js'
import { validKey } from '../../petstore/checks/auth/valid-key.js'
import { jsonBodies } from '../../petstore/checks/base/json-bodies.js'
import { versionPrefix } from '../../petstore/checks/base/version-prefix.js'
import { codeForMachines } from '../../petstore/checks/errors/code-for-machines.js'
import { errorBodyCheck } from '../../petstore/checks/errors/error-body.js'
import { noServerError } from '../../petstore/checks/errors/no-server-error.js'
import { refusalBody } from '../../petstore/checks/errors/refusal-body.js'
import { statusAgrees } from '../../petstore/checks/errors/status-agrees.js'
import { unknownPathCheck } from '../../petstore/checks/errors/unknown-path.js'
import { boundsKeptExactly } from '../../petstore/checks/inventory/bounds-kept-exactly.js'
import { boundsListedExactly } from '../../petstore/checks/inventory/bounds-listed-exactly.js'
import { idsListedOnce } from '../../petstore/checks/inventory/ids-listed-once.js'
import { invalidValues } from '../../petstore/checks/inventory/invalid-values.js'
import { lackingQuantity } from '../../petstore/checks/inventory/lacking-quantity.js'
import { list } from '../../petstore/checks/inventory/list.js'
import { listIsCurrent } from '../../petstore/checks/inventory/list-is-current.js'
import { looseRequestsCheck } from '../../petstore/checks/inventory/loose-requests.js'
import { neighbours } from '../../petstore/checks/inventory/neighbours.js'
import { operationsExist } from '../../petstore/checks/inventory/operations-exist.js'
import { otherOperationsCheck } from '../../petstore/checks/inventory/other-operations.js'
import { quantityBoundsCheck } from '../../petstore/checks/inventory/quantity-bounds.js'
import { refusalsChangeNothing } from '../../petstore/checks/inventory/refusals-change-nothing.js'
import { refusedWrite } from '../../petstore/checks/inventory/refused-write.js'
import { unknownPetCheck } from '../../petstore/checks/inventory/unknown-pet.js'
import { updateAnswer } from '../../petstore/checks/inventory/update-answer.js'
import { accountingCheck } from '../../petstore/checks/quota/accounting.js'
import { dayLimit } from '../../petstore/checks/quota/day-limit.js'
import { enterpriseAsAgreed } from '../../petstore/checks/quota/enterprise-as-agreed.js'
import { keysOfAPlan } from '../../petstore/checks/quota/keys-of-a-plan.js'
import { remainingByOperation } from '../../petstore/checks/rate/remaining-by-operation.js'
import { furtherFields } from '../../petstore/checks/schema/further-fields.js'
import { largeIds } from '../../petstore/checks/schema/large-ids.js'
import { deprecation } from '../../petstore/checks/versioning/deprecation.js'
import { stability } from '../../petstore/checks/versioning/stability.js'
import { petIdField, quantityField, statusField } from '../../petstore/judging/judge-field.js'
import {
  modelAbsentRefused,
  modelAgrees,
  modelInvalidRefused,
  modelRefusedUnchanged,
  modelValidUpdates,
} from '../../petstore/judging/judge-walks.js'

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
export const checksOf = ({ contract }: Pick<RunHead, 'contract'>): readonly Check[] =>
  contract ? contract.quotas.flatMap((quota) => allChecks.flatMap((each) => ofQuota(each, contract, quota))) : checks
