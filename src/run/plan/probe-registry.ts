import type { Check } from '../../checks/framework/check.js'
import { isAskedFor } from '../../checks/framework/unplayed.js'
import { firstLookProbe } from '../../evidence/first-look.js'
import { daily } from '../../petstore/probes/daily.js'
import { badKeys, keyBeforeBody, keyElsewhere, noKey, schemeCase } from '../../petstore/probes/keys.js'
import { modelWalk } from '../../petstore/probes/model-walk.js'
import {
  accounting,
  hardInput,
  looseRequests,
  otherOperations,
  unknownPath,
} from '../../petstore/probes/odd-requests.js'
import { samePlan } from '../../petstore/probes/same-plan.js'
import {
  invalidBodies,
  neighbourIds,
  quantityBounds,
  readWriteRead,
  unknownPet,
} from '../../petstore/probes/updates.js'
import type { Probe } from '../../probes/probe.js'
import { burst } from '../../probes/profiles/burst.js'
import { ban, compliantClients } from '../../probes/profiles/compliant-clients.js'
import { cost } from '../../probes/profiles/cost.js'
import { isolation } from '../../probes/profiles/isolation.js'
import { otherRequests } from '../../probes/profiles/other-requests.js'
import { overload, recovery, steady } from '../../probes/profiles/paced.js'
import { boundary, coldStart, lastSlot } from '../../probes/profiles/placed-bursts.js'
import { exhaustion, headerRow, hello } from '../../probes/profiles/single-requests.js'
import { split } from '../../probes/profiles/split.js'
import { spread } from '../../probes/profiles/spread.js'
import { whileRefused } from '../../probes/profiles/while-refused.js'

/** The probes that know the bundled interface: its inventory, its keys and its days. */
const petstoreProbes: readonly Probe[] = [
  readWriteRead,
  neighbourIds,
  invalidBodies,
  unknownPet,
  noKey,
  badKeys,
  keyBeforeBody,
  schemeCase,
  keyElsewhere,
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
  coldStart,
  lastSlot,
  boundary,
  steady,
  recovery,
  overload,
  compliantClients,
  whileRefused,
  cost,
  ban,
]

/** Every probe. A scenario says which of them are played, and in what order. */
export const probes: readonly Probe[] = [...quotaProbes, ...petstoreProbes]

export const findProbe = (id: string): Probe | undefined => probes.find((probe) => probe.id === id)

interface Wishes {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** Probes of the scenario that are played whatever the checks take. */
  readonly with?: readonly string[]
}

/** The probes of a scenario that a check takes when it is judged alone; `everything` where it does not say. */
const takenBy = ({ reads, alone }: Check, played: readonly string[]): readonly string[] | 'everything' => {
  if (reads !== 'everything') return reads
  return alone?.flatMap((group) => group.find((probe) => played.includes(probe)) ?? []) ?? 'everything'
}

/** The probes that the wanted checks take, in the scenario's order: all unless `only` picks some. */
export const neededProbes = (
  played: readonly string[],
  wishes: Wishes,
  checks: readonly Check[],
): readonly string[] => {
  if (wishes.only.length === 0) return played
  const taken = checks.filter((check) => isAskedFor(check, wishes)).map((check) => takenBy(check, played))
  if (taken.includes('everything')) return played
  const needed = new Set([firstLookProbe, ...taken.flat(), ...(wishes.with ?? [])])
  return played.filter((probe) => needed.has(probe))
}
