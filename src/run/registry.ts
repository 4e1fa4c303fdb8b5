import type { Check, CheckOf } from '../checks/framework/check.js'
import { isAskedFor } from '../checks/framework/unplayed.js'
import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import { areaOf, areas, clausesOf } from '../contract/clauses.js'
import { contractForQuota } from '../contract/partitions.js'
import type { RunHead } from '../evidence/journal.js'
import { firstLookProbe } from '../evidence/journal.js'
import { daily } from '../petstore/probes/daily.js'
import { keyProbes } from '../petstore/probes/keys.js'
import { modelWalk } from '../petstore/probes/model-walk.js'
import { accounting, hardInput, looseRequests, otherOperations, unknownPath } from '../petstore/probes/odd-requests.js'
import { samePlan } from '../petstore/probes/same-plan.js'
import { quantityBounds, updateProbes } from '../petstore/probes/updates.js'
import type { Probe } from '../probes/probe.js'
import { burst } from '../probes/profiles/burst.js'
import { ban, compliantClients } from '../probes/profiles/compliant-clients.js'
import { cost } from '../probes/profiles/cost.js'
import { isolation } from '../probes/profiles/isolation.js'
import { otherRequests } from '../probes/profiles/other-requests.js'
import { pacedProbes } from '../probes/profiles/paced.js'
import { placedBursts } from '../probes/profiles/placed-bursts.js'
import { exhaustion, headerRow, hello } from '../probes/profiles/single-requests.js'
import { split } from '../probes/profiles/split.js'
import { spread } from '../probes/profiles/spread.js'
import { whileRefused } from '../probes/profiles/while-refused.js'
import * as files from './check-files.js'

/** The probes that need the Petstore's interface: its inventory, keys and days. */
const petstoreProbes: readonly Probe[] = [
  ...updateProbes,
  ...keyProbes,
  quantityBounds,
  looseRequests,
  otherOperations,
  modelWalk,
  unknownPath,
  hardInput,
  accounting,
  samePlan,
  daily,
]

/** The probes that need nothing but a quota: they are played for every quota of a contract file. */
export const quotaProbes: readonly Probe[] = [
  hello,
  headerRow,
  exhaustion,
  isolation,
  burst,
  otherRequests,
  split,
  spread,
  ...placedBursts,
  ...pacedProbes,
  compliantClients,
  whileRefused,
  cost,
  ban,
]

/** Every probe. A scenario says which of them are played, and in what order. */
export const probes: readonly Probe[] = [...quotaProbes, ...petstoreProbes]

export const findProbe = (id: string): Probe | undefined => probes.find((probe) => probe.id === id)

/** The scenario's probes that a check needs when it is judged alone; `everything` if it does not say. */
const takenBy = ({ reads, alone }: Check, played: readonly string[]): readonly string[] | 'everything' => {
  if (reads !== 'everything') return reads
  return alone?.flatMap((group) => group.find((probe) => played.includes(probe)) ?? []) ?? 'everything'
}

/** The probes that the wanted checks need, in the scenario's order: all unless `only` picks some; those of `with` always. */
export const neededProbes = (
  played: readonly string[],
  wishes: Readonly<Record<'only' | 'skip', readonly string[]>> & { readonly with?: readonly string[] },
  checks: readonly Check[],
): readonly string[] => {
  if (wishes.only.length === 0) return played
  const taken = checks.filter((check) => isAskedFor(check, wishes)).map((check) => takenBy(check, played))
  if (taken.includes('everything')) return played
  const needed = new Set([firstLookProbe, ...taken.flat(), ...(wishes.with ?? [])])
  return played.filter((probe) => needed.has(probe))
}

type DefinedIn<File> = File extends unknown ? Extract<File[keyof File], CheckOf<never>> : never

export type DefinedCheck = DefinedIn<(typeof files)[keyof typeof files]>

const areaNames = Object.keys(areas)
const placeOf = ({ clauses: [clause] }: Check): number => areaNames.indexOf(areaOf(clause))

/** Every check, by area. Its clause says whether it is for any quota or for pets; `of` narrows that. */
export const allChecks: readonly Check[] = Object.values(files)
  .flatMap((file): Check[] => Object.values(file).filter((each) => typeof each !== 'function'))
  .sort((one, other) => placeOf(one) - placeOf(other) || (one.id < other.id ? -1 : 1))

export const checks: readonly Check[] = allChecks.filter(({ of }) => of !== 'contract-file')

/** A check for one quota of a contract file, at the level that the contract gives its clause. */
const ofQuota = (check: Check, whole: ApiContract, quota: QuotaSpec): Check[] => {
  const contract = { ...contractForQuota(whole, quota), quotas: [quota] }
  const clause = clausesOf(contract).find(({ id }) => id === check.clauses[0])
  if (!clause || check.of === 'petstore' || check.judges?.(contract, quota) === false) return []
  const { level, sentence } = clause
  // Its promise is the sentence of the contract's own clause.
  return [{ ...check, id: `${check.id}:${quota.id}`, promise: sentence, level: check.level ?? level, quota: quota.id }]
}

/** The checks that judge a run: the Petstore's or, with a contract, those of any quota for each of its quotas. */
export const checksOf = ({ contract, events }: Pick<RunHead, 'contract' | 'events'>): readonly Check[] => {
  const all = contract
    ? contract.quotas.flatMap((quota) => allChecks.flatMap((each) => ofQuota(each, contract, quota)))
    : checks
  // A run without events needs no checks of events.
  return events ? all : all.filter(({ acrossEvents }) => !acrossEvents)
}
