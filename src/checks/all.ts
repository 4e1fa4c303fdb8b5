import type { Check } from './law/check.js'
import { beforeAnythingElse } from './petstore/auth/before-anything-else.js'
import { challenge } from './petstore/auth/challenge.js'
import { deniedChangesNothing } from './petstore/auth/denied-changes-nothing.js'
import { keyCase } from './petstore/auth/key-case.js'
import { keyElsewhereCheck } from './petstore/auth/key-elsewhere.js'
import { noKeyCheck } from './petstore/auth/no-key.js'
import { openFormsCheck } from './petstore/auth/open-forms.js'
import { otherForms } from './petstore/auth/other-forms.js'
import { schemeCaseCheck } from './petstore/auth/scheme-case.js'
import { unknownKeyCheck } from './petstore/auth/unknown-key.js'
import { validKey } from './petstore/auth/valid-key.js'
import { jsonBodies } from './petstore/base/json-bodies.js'
import { versionPrefix } from './petstore/base/version-prefix.js'
import { codeForMachines } from './petstore/errors/code-for-machines.js'
import { errorBodyCheck } from './petstore/errors/error-body.js'
import { noServerError } from './petstore/errors/no-server-error.js'
import { refusalBody } from './petstore/errors/refusal-body.js'
import { statusAgrees } from './petstore/errors/status-agrees.js'
import { unknownPathCheck } from './petstore/errors/unknown-path.js'
import { boundsKeptExactly } from './petstore/inventory/bounds-kept-exactly.js'
import { boundsListedExactly } from './petstore/inventory/bounds-listed-exactly.js'
import { idsListedOnce } from './petstore/inventory/ids-listed-once.js'
import { invalidValues } from './petstore/inventory/invalid-values.js'
import { lackingQuantity } from './petstore/inventory/lacking-quantity.js'
import { list } from './petstore/inventory/list.js'
import { listIsCurrent } from './petstore/inventory/list-is-current.js'
import { looseRequestsCheck } from './petstore/inventory/loose-requests.js'
import { modelAbsentRefused } from './petstore/inventory/model-absent-refused.js'
import { modelAgrees } from './petstore/inventory/model-agrees.js'
import { modelInvalidRefused } from './petstore/inventory/model-invalid-refused.js'
import { modelRefusedUnchanged } from './petstore/inventory/model-refused-unchanged.js'
import { modelValidUpdates } from './petstore/inventory/model-valid-updates.js'
import { neighbours } from './petstore/inventory/neighbours.js'
import { operationsExist } from './petstore/inventory/operations-exist.js'
import { otherOperationsCheck } from './petstore/inventory/other-operations.js'
import { quantityBoundsCheck } from './petstore/inventory/quantity-bounds.js'
import { refusalsChangeNothing } from './petstore/inventory/refusals-change-nothing.js'
import { refusedWrite } from './petstore/inventory/refused-write.js'
import { unknownPetCheck } from './petstore/inventory/unknown-pet.js'
import { updateAnswer } from './petstore/inventory/update-answer.js'
import { accountingCheck } from './petstore/quota/accounting.js'
import { dayLimit } from './petstore/quota/day-limit.js'
import { enterpriseAsAgreed } from './petstore/quota/enterprise-as-agreed.js'
import { keysOfAPlan } from './petstore/quota/keys-of-a-plan.js'
import { remainingByOperation } from './petstore/rate/remaining-by-operation.js'
import { furtherFields } from './petstore/schema/further-fields.js'
import { largeIds } from './petstore/schema/large-ids.js'
import { petIdField } from './petstore/schema/pet-id.js'
import { quantityField } from './petstore/schema/quantity.js'
import { statusField } from './petstore/schema/status.js'
import { deprecation } from './petstore/versioning/deprecation.js'
import { stability } from './petstore/versioning/stability.js'
import { algorithm } from './quota/algorithm.js'
import { cost } from './quota/cost.js'
import { notOverAdmitted } from './quota/not-over-admitted.js'
import { notRefusedEarly } from './quota/not-refused-early.js'
import { plansApart } from './quota/plans-apart.js'
import { spellingsCheck } from './quota/spellings.js'
import { vantages } from './quota/vantages.js'
import { headersPresent } from './rate/headers-present.js'
import { limitOfPlan } from './rate/limit-of-plan.js'
import { plainHeaders } from './rate/plain-headers.js'
import { remainingFalls } from './rate/remaining-falls.js'
import { remainingInBurst } from './rate/remaining-in-burst.js'
import { remainingInRange } from './rate/remaining-in-range.js'
import { remainingKept } from './rate/remaining-kept.js'
import { remainingRepeated } from './rate/remaining-repeated.js'
import { resetHonest } from './rate/reset-honest.js'
import { resetIsTimestamp } from './rate/reset-is-timestamp.js'
import { resetWithinWindow } from './rate/reset-within-window.js'
import { banCheck } from './throttle/ban.js'
import { compliantNotBanned } from './throttle/compliant-not-banned.js'
import { notCacheable } from './throttle/not-cacheable.js'
import { refusedAtOnce } from './throttle/refused-at-once.js'
import { retryAfterForm } from './throttle/retry-after-form.js'
import { retryAfterHonest } from './throttle/retry-after-honest.js'
import { retryAfterNotLong } from './throttle/retry-after-not-long.js'
import { retryAfterPresent } from './throttle/retry-after-present.js'

/** Every check, by area. A new one is a file and a line here. */
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
  compliantNotBanned,
  notCacheable,
  refusedAtOnce,
  retryAfterForm,
  retryAfterNotLong,
  retryAfterHonest,
  retryAfterPresent,
  deprecation,
  stability,
]

export const checks: readonly Check[] = defined

/** One of them, with what it can find. */
export type DefinedCheck = (typeof defined)[number]
