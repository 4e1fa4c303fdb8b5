import { join } from 'node:path'
import { contractFaults, contractVariations, faults, variations } from '../../../reference-server/faults/catalogue.js'
import { brokenOf, type Fault } from '../../../reference-server/faults/fault.js'
import type { ApiContract } from '../../contract/api-contract.js'
import type { ClauseId } from '../../contract/clauses.js'
import { agreedBlockMs } from '../../contract/partitions.js'
import type { Quota } from '../../contract/plans.js'
import { scenarioFolder } from '../../run/package.js'
import type { Trial } from './play-trial.js'

/** What is to be played, and what has to come out of it. */
export interface PlannedTrial extends Pick<Trial, 'server' | 'contract' | 'enterprise' | 'scenario'> {
  readonly kind: 'fault' | 'variation'
  readonly id: string
  readonly expected: readonly ClauseId[]
}

/** Clauses that single exchanges show: what breaks only these needs no load to be seen. */
const withoutLoad = /^(BASE|SCHEMA|INV|AUTH|ERR|VER)-/

/** A scenario that only the kill matrix plays. */
const ofItsOwn = (name: string): string => join(scenarioFolder, 'keystone', `${name}.yaml`)

const day = ofItsOwn('day')
const forgotten = ofItsOwn('forgotten')

/** Clauses that only a profile of their own can show. */
const scenarioOf: Readonly<Partial<Record<ClauseId, string>>> = {
  'QUOTA-3': day,
  'THROTTLE-6': ofItsOwn('obedience'),
}

/** Faults that the scenario of their clauses does not show, or does not show for what they are. */
const scenarioByFault: Readonly<Record<string, string>> = {
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

const scenarioFor = ({ id, breaks }: Fault): string => {
  const own = breaks.map((clause) => scenarioOf[clause]).find((name) => name !== undefined)
  return (
    scenarioByFault[id] ?? own ?? (breaks.every((clause) => withoutLoad.test(clause)) ? 'conformance' : 'release-gate')
  )
}

/**
 * A day is long, so its windows are half as long as the others'; conformance only waits for one at its end. What is told by
 * seconds takes longer ones.
 */
const scales: Readonly<Record<string, number>> = { [day]: 2, conformance: 3, [forgotten]: 0.5 }
export const scaleOf = (scenario: string, usual: number): number => usual * (scales[scenario] ?? 1)

/** The quotas of Enterprise whose day a release gate spends to its end. */
const shortDay = { minute: 50, day: 150 }
const enterpriseByFault: Readonly<Record<string, Quota>> = {
  'enterprise-day-limit-plus-one': shortDay,
  'enterprise-day-leaves-out-patches': shortDay,
}

/** The trial of a fault, in that scenario: it is to break those clauses, and no other. */
const faultTrial = (id: string, scenario: string, expected: readonly ClauseId[]): PlannedTrial => ({
  kind: 'fault',
  id,
  scenario,
  expected,
  enterprise: enterpriseByFault[id],
  server: { faults: [id] },
})

/** The trial of something unusual that breaks nothing. */
const variationTrial = (id: string): PlannedTrial => ({
  kind: 'variation',
  id,
  scenario: 'release-gate',
  expected: [],
  server: { variations: [id] },
})

const petstoreTrials = (): PlannedTrial[] => [
  ...faults.map((fault) => faultTrial(fault.id, scenarioFor(fault), fault.breaks)),
  ...variations.map(({ id }) => variationTrial(id)),
]

/**
 * A day takes several times as long as the rest, and therefore begins early; but not while all threads are loading what
 * they play, for what a stall makes late is then sent at once, and the minute refuses some of it.
 */
export const daysEarly = <T extends { readonly scenario: string }>(trials: readonly T[], atOnce: number): T[] => {
  const days = trials.filter(({ scenario }) => scenario === day)
  const others = trials.filter(({ scenario }) => scenario !== day)
  return [...others.slice(0, atOnce), ...days, ...others.slice(atOnce)]
}

/** Faults that the release gate does not show, or does not show for what they are. */
const scenarioByContractFault: Readonly<Record<string, string>> = {
  'nodes-count-alone': ofItsOwn('nodes'),
}

/** The same where a refusal blocks: whoever waits for the end of the block sees no longer when the quota came back. */
const scenarioByFaultOfBlocks: Readonly<Record<string, string>> = {
  'window-doubled': ofItsOwn('steady'),
  'every-request-renews-the-window': ofItsOwn('steady'),
}

const scenarioForContract = (contract: ApiContract, fault: string): string =>
  scenarioByContractFault[fault] ??
  (agreedBlockMs(contract) === undefined ? undefined : scenarioByFaultOfBlocks[fault]) ??
  'release-gate'

/** The trials of a server that should keep this contract: all that means something to it. */
const contractTrials = (contract: ApiContract): PlannedTrial[] => [
  ...contractFaults
    .filter(({ appliesTo }) => appliesTo(contract))
    .map((fault) => ({
      ...faultTrial(fault.id, scenarioForContract(contract, fault.id), brokenOf(fault, contract)),
      contract,
    })),
  ...contractVariations
    .filter(({ appliesTo }) => appliesTo(contract))
    .map(({ id }) => ({ ...variationTrial(id), contract })),
]

/** The trials with these ids, or that break these clauses, in the order of the catalogues; no ids stand for all. */
export const trialsOf = (contract: ApiContract | undefined, ids: readonly string[]): PlannedTrial[] => {
  const all = contract ? contractTrials(contract) : petstoreTrials()
  const isAskedFor = ({ id, expected }: PlannedTrial) =>
    ids.includes(id) || expected.some((clause) => ids.includes(clause))
  return ids.length === 0 ? all : all.filter(isAskedFor)
}
