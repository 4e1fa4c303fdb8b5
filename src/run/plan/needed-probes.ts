import type { Check } from '../../checks/framework/check.js'
import { isAskedFor } from '../../checks/framework/unplayed.js'
import { firstLookProbe } from '../../evidence/first-look.js'

/** What the user wants judged, and played besides. */
export interface Wishes {
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

/**
 * The probes of a scenario that the wanted checks take, in the order in which it plays them: all of them unless `only`
 * picks some. The first look is always among them.
 */
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
