import type { Check, CheckOf } from '../checks/framework/check.js'
import * as events from '../checks/quota/events.js'
import * as limitKept from '../checks/quota/limit-kept.js'
import * as plansApart from '../checks/quota/plans-apart.js'
import * as seen from '../checks/quota/seen.js'
import * as spellings from '../checks/quota/spellings.js'
import * as headers from '../checks/rate/headers.js'
import * as remainingFalls from '../checks/rate/remaining-falls.js'
import * as remainingInRange from '../checks/rate/remaining-in-range.js'
import * as remainingKept from '../checks/rate/remaining-kept.js'
import * as resetHonest from '../checks/rate/reset-honest.js'
import * as resetIsTimestamp from '../checks/rate/reset-is-timestamp.js'
import * as ban from '../checks/throttle/ban.js'
import * as compliantNotBanned from '../checks/throttle/compliant-not-banned.js'
import * as refusals from '../checks/throttle/refusals.js'
import * as retryAfter from '../checks/throttle/retry-after.js'
import * as retryAfterHonest from '../checks/throttle/retry-after-honest.js'
import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import { areaOf, areas, clausesOf } from '../contract/clauses.js'
import { contractForQuota } from '../contract/partitions.js'
import type { RunHead } from '../evidence/journal.js'
import * as auth from '../petstore/checks/auth.js'
import * as errors from '../petstore/checks/errors.js'
import * as interfaceChecks from '../petstore/checks/interface.js'
import * as inventoryLists from '../petstore/checks/inventory-lists.js'
import * as inventoryRefusals from '../petstore/checks/inventory-refusals.js'
import * as inventoryUpdates from '../petstore/checks/inventory-updates.js'
import * as inventoryWalks from '../petstore/checks/inventory-walks.js'
import * as petstoreQuota from '../petstore/checks/quota.js'
import * as remainingByOperation from '../petstore/checks/remaining-by-operation.js'
import * as schema from '../petstore/checks/schema.js'

/** The files of checks. What is an object in one of them is a check. */
const files = [
  auth,
  ban,
  compliantNotBanned,
  errors,
  events,
  headers,
  interfaceChecks,
  inventoryLists,
  inventoryRefusals,
  inventoryUpdates,
  inventoryWalks,
  limitKept,
  petstoreQuota,
  plansApart,
  refusals,
  remainingByOperation,
  remainingFalls,
  remainingInRange,
  remainingKept,
  resetHonest,
  resetIsTimestamp,
  retryAfter,
  retryAfterHonest,
  schema,
  seen,
  spellings,
] as const

type DefinedIn<File> = File extends unknown ? Extract<File[keyof File], CheckOf<never>> : never

/** Any of them, with what it can find. */
export type DefinedCheck = DefinedIn<(typeof files)[number]>

const areaNames = Object.keys(areas)
const placeOf = ({ clauses: [clause] }: Check): number => areaNames.indexOf(areaOf(clause))

/** Every check, by area. Its clause says whether it is for any quota or for pets; `of` where it is narrower. */
export const allChecks: readonly Check[] = files
  .flatMap((file): Check[] => Object.values(file).filter((each) => typeof each !== 'function'))
  .sort((one, other) => placeOf(one) - placeOf(other) || (one.id < other.id ? -1 : 1))

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
