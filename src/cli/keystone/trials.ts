import { join } from 'node:path'
import { type Departures, departuresFor } from '../../../reference-server/faults/catalogue.js'
import type { Fault } from '../../../reference-server/faults/fault.js'
import type { ApiContract } from '../../contract/api-contract.js'
import type { ClauseId } from '../../contract/clauses.js'
import { agreedBlockMs } from '../../contract/partitions.js'
import type { Quota } from '../../contract/plans.js'
import { UsageError } from '../../kit/usage-error.js'
import { nearest } from '../../kit/words.js'
import { scenarioFolder } from '../../run/package.js'
import type { Trial } from './play-trial.js'

export interface PlannedTrial
  extends Pick<Trial, 'server' | 'contract' | 'enterprise' | 'scenario'>,
    Pick<Departures, 'areTold'> {
  readonly kind: 'fault' | 'variation'
  readonly id: string
  readonly expected: readonly ClauseId[]
}

/** Clauses that single exchanges test: a fault that breaks only these needs no load. */
const withoutLoad = /^(BASE|SCHEMA|INV|AUTH|ERR|VER)-/

const ofItsOwn = (name: string): string => join(scenarioFolder, 'keystone', `${name}.yaml`)

const day = ofItsOwn('day')
const forgotten = ofItsOwn('forgotten')

const scenarioOf: Readonly<Partial<Record<ClauseId, string>>> = {
  'QUOTA-3': day,
  'THROTTLE-6': ofItsOwn('obedience'),
}

/** Faults that the scenario of their clauses does not show, or shows as something else. */
const scenarioByFault: Readonly<Record<string, string>> = {
  'list-empty-under-load': 'release-gate',
  'list-kept-for-each-key': 'release-gate',
  'entry-twice-under-load': 'release-gate',
  'status-missing-under-load': 'release-gate',
  'refused-patch-applied': 'release-gate',
  'refused-patch-applied-later': 'release-gate',
  'retry-after-of-the-minute': day,
  'quota-never-comes-back': ofItsOwn('return'),
  'refused-once-idle': ofItsOwn('idle'),
  'count-forgotten-once-idle': forgotten,
  'refused-once-clock-stepped-back': ofItsOwn('return'),
  'first-after-a-window-refused': ofItsOwn('waits'),
  'counted-behind-the-edge': ofItsOwn('edges'),
  'nodes-count-alone': ofItsOwn('nodes'),
}

/** The same if refusals block: after waiting for the block's end, it is too late to see when the quota came back. */
const scenarioByFaultOfBlocks: Readonly<Record<string, string>> = {
  'block-too-long': 'release-gate',
  'window-doubled': ofItsOwn('steady'),
  'every-request-renews-the-window': ofItsOwn('steady'),
}

const scenarioFor = ({ id, breaks }: Pick<Fault, 'id' | 'breaks'>, blocks: boolean): string => {
  const own = breaks.map((clause) => scenarioOf[clause]).find((name) => name !== undefined)
  return (
    scenarioByFault[id] ??
    (blocks ? scenarioByFaultOfBlocks[id] : undefined) ??
    own ??
    (breaks.every((clause) => withoutLoad.test(clause)) ? 'conformance' : 'release-gate')
  )
}

/**
 * A day is long, so its windows are half as long as the others'; conformance only waits for one at its end. A fault that
 * only seconds reveal takes longer windows.
 */
const scales: Readonly<Record<string, number>> = { [day]: 2, conformance: 3, [forgotten]: 0.5 }
export const scaleOf = (scenario: string, usual: number): number => usual * (scales[scenario] ?? 1)

/** An Enterprise quota whose day a release gate spends completely. */
const shortDay = { minute: 50, day: 150 }
const enterpriseByFault: Readonly<Record<string, Quota>> = {
  'enterprise-day-limit-plus-one': shortDay,
  'enterprise-day-leaves-out-patches': shortDay,
}

/**
 * A day takes several times as long as the rest, so it begins early, but not while all threads are still loading: a stall
 * then makes requests late, they are sent at once, and the minute refuses some.
 */
export const daysEarly = <T extends { readonly scenario: string }>(trials: readonly T[], atOnce: number): T[] => {
  const days = trials.filter(({ scenario }) => scenario === day)
  const others = trials.filter(({ scenario }) => scenario !== day)
  return [...others.slice(0, atOnce), ...days, ...others.slice(atOnce)]
}

/** All trials of a server that should keep this contract or the Petstore's: a fault breaks exactly its clauses. */
const allTrials = (contract: ApiContract | undefined): PlannedTrial[] => {
  const { contract: kept, faults, variations, areTold } = departuresFor(contract)
  const blocks = agreedBlockMs(kept) !== undefined
  return [
    ...faults.map((fault): PlannedTrial => {
      const { id, breaks: expected } = fault
      const played = {
        scenario: scenarioFor(fault, blocks),
        enterprise: enterpriseByFault[id],
        server: { faults: [id] },
      }
      return { kind: 'fault', id, expected, areTold, contract, ...played }
    }),
    ...variations.map(({ id }): PlannedTrial => {
      const played = { scenario: 'release-gate', server: { variations: [id] } }
      return { kind: 'variation', id, expected: [], areTold, contract, ...played }
    }),
  ]
}

/** The trials with these ids, or that break these clauses; without ids, all. A {@link UsageError} if there is none. */
export const trialsOf = (contract: ApiContract | undefined, ids: readonly string[]): PlannedTrial[] => {
  const all = allTrials(contract)
  const namesOf = ({ id, expected }: PlannedTrial): readonly string[] => [id, ...expected]
  const known = [...new Set(all.flatMap(namesOf))]
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown === undefined)
    return ids.length === 0 ? all : all.filter((trial) => namesOf(trial).some((name) => ids.includes(name)))
  const named = contract
    ? `fault or variation for ${contract.name}`
    : 'fault or variation, and no clause that one breaks'
  const meant = nearest(unknown, known)
  const hint = meant ? `did you mean ${meant}?` : `${departuresFor(contract).listing} lists the faults`
  throw new UsageError(`--id ${unknown}: there is no such ${named}; ${hint}`)
}
