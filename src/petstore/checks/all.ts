import type { Check } from '../../checks/framework/check.js'
import { algorithm } from '../../checks/quota/algorithm.js'
import { cost } from '../../checks/quota/cost.js'
import { notOverAdmitted } from '../../checks/quota/not-over-admitted.js'
import { notRefusedEarly } from '../../checks/quota/not-refused-early.js'
import { plansApart } from '../../checks/quota/plans-apart.js'
import { spellingsCheck } from '../../checks/quota/spellings.js'
import { vantages } from '../../checks/quota/vantages.js'
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
import { compliantNotBanned } from '../../checks/throttle/compliant-not-banned.js'
import { notCacheable } from '../../checks/throttle/not-cacheable.js'
import { refusedAtOnce } from '../../checks/throttle/refused-at-once.js'
import { retryAfterForm } from '../../checks/throttle/retry-after-form.js'
import { retryAfterHonest } from '../../checks/throttle/retry-after-honest.js'
import { retryAfterNotLong } from '../../checks/throttle/retry-after-not-long.js'
import { retryAfterPresent } from '../../checks/throttle/retry-after-present.js'
import { beforeAnythingElse } from './auth/before-anything-else.js'
import { challenge } from './auth/challenge.js'
import { deniedChangesNothing } from './auth/denied-changes-nothing.js'
import { keyCase } from './auth/key-case.js'
import { keyElsewhereCheck } from './auth/key-elsewhere.js'
import { noKeyCheck } from './auth/no-key.js'
import { openFormsCheck } from './auth/open-forms.js'
import { otherForms } from './auth/other-forms.js'
import { schemeCaseCheck } from './auth/scheme-case.js'
import { unknownKeyCheck } from './auth/unknown-key.js'
import { validKey } from './auth/valid-key.js'
import { jsonBodies } from './base/json-bodies.js'
import { versionPrefix } from './base/version-prefix.js'
import { codeForMachines } from './errors/code-for-machines.js'
import { errorBodyCheck } from './errors/error-body.js'
import { noServerError } from './errors/no-server-error.js'
import { refusalBody } from './errors/refusal-body.js'
import { statusAgrees } from './errors/status-agrees.js'
import { unknownPathCheck } from './errors/unknown-path.js'
import { boundsKeptExactly } from './inventory/bounds-kept-exactly.js'
import { boundsListedExactly } from './inventory/bounds-listed-exactly.js'
import { idsListedOnce } from './inventory/ids-listed-once.js'
import { invalidValues } from './inventory/invalid-values.js'
import { lackingQuantity } from './inventory/lacking-quantity.js'
import { list } from './inventory/list.js'
import { listIsCurrent } from './inventory/list-is-current.js'
import { looseRequestsCheck } from './inventory/loose-requests.js'
import { modelAbsentRefused } from './inventory/model-absent-refused.js'
import { modelAgrees } from './inventory/model-agrees.js'
import { modelInvalidRefused } from './inventory/model-invalid-refused.js'
import { modelRefusedUnchanged } from './inventory/model-refused-unchanged.js'
import { modelValidUpdates } from './inventory/model-valid-updates.js'
import { neighbours } from './inventory/neighbours.js'
import { operationsExist } from './inventory/operations-exist.js'
import { otherOperationsCheck } from './inventory/other-operations.js'
import { quantityBoundsCheck } from './inventory/quantity-bounds.js'
import { refusalsChangeNothing } from './inventory/refusals-change-nothing.js'
import { refusedWrite } from './inventory/refused-write.js'
import { unknownPetCheck } from './inventory/unknown-pet.js'
import { updateAnswer } from './inventory/update-answer.js'
import { accountingCheck } from './quota/accounting.js'
import { dayLimit } from './quota/day-limit.js'
import { enterpriseAsAgreed } from './quota/enterprise-as-agreed.js'
import { keysOfAPlan } from './quota/keys-of-a-plan.js'
import { remainingByOperation } from './rate/remaining-by-operation.js'
import { furtherFields } from './schema/further-fields.js'
import { largeIds } from './schema/large-ids.js'
import { petIdField } from './schema/pet-id.js'
import { quantityField } from './schema/quantity.js'
import { statusField } from './schema/status.js'
import { deprecation } from './versioning/deprecation.js'
import { stability } from './versioning/stability.js'

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
