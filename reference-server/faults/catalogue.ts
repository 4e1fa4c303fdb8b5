import type { ApiContract } from '../../src/contract/api-contract.js'
import { petstore } from '../../src/contract/petstore/petstore.js'
import { UsageError } from '../../src/kit/usage-error.js'
import { nearest } from '../../src/kit/words.js'
import { answerVariations, refusalVariations } from '../variations/answers.js'
import { contractVariationRows } from '../variations/contract-variations.js'
import { limitVariations } from '../variations/limits.js'
import { codingVariations, dateVariations, meteringVariations, transportVariations } from '../variations/transport.js'
import { baseFaults, errorFaults, schemaFaults, unreadableFaults, versioningFaults } from './answers.js'
import { authFaults } from './auth.js'
import { contractFieldFaults, contractRefusalFaults } from './contract-answers.js'
import { contractQuotaFaults } from './contract-quotas.js'
import { brokenOf, type ContractFault, type ContractVariation, type Fault, listed, type Variation } from './fault.js'
import { bodyFaults, effectFaults } from './inventory.js'
import { petFaults, refusalFaults } from './pets.js'
import { storeFaults } from './quota-stores.js'
import { quotaFaults } from './quotas.js'
import { rateHeaderFaults } from './rate-headers.js'
import { throttleFaults } from './throttle.js'

export const faults: readonly Fault[] = [
  ...baseFaults,
  ...schemaFaults,
  ...effectFaults,
  ...bodyFaults,
  ...petFaults,
  ...refusalFaults,
  ...authFaults,
  ...errorFaults,
  ...rateHeaderFaults,
  ...quotaFaults,
  ...storeFaults,
  ...throttleFaults,
  ...unreadableFaults,
  ...versioningFaults,
]

export const contractFaults: readonly ContractFault[] = listed({
  ...contractQuotaFaults,
  ...contractFieldFaults,
  ...contractRefusalFaults,
})

export const contractVariations: readonly ContractVariation[] = listed(contractVariationRows)

export const variations: readonly Variation[] = listed({
  ...limitVariations,
  ...refusalVariations,
  ...answerVariations,
  ...transportVariations,
  ...codingVariations,
  ...dateVariations,
  ...meteringVariations,
})

type Row = Pick<Fault, 'id'>

/** The departures of a server that should keep this contract or the Petstore's. */
export interface Departures {
  readonly contract: ApiContract
  readonly faults: readonly Pick<Fault, 'id' | 'breaks' | 'sentence'>[]
  readonly variations: readonly Row[]
  /** Departures that do not apply here, but to servers of other contracts. */
  readonly others: Readonly<Record<'fault' | 'variation', readonly Row[]>>
  /** Whether every fault of a quota can be told from its look-alikes; for contract files some can't. */
  readonly areTold: boolean
  /** What plays all of them soonest, without too much load on one machine. */
  readonly pace: Readonly<Record<'timeScale' | 'atOnce', number>>
  /** The command that lists them. */
  readonly listing: string
  /** Where they are listed, for errors that do not name them all. */
  readonly listedBy: { readonly fault?: string; readonly variation?: undefined }
}

const ofPetstore: Departures = {
  contract: petstore,
  faults,
  variations,
  others: { fault: [], variation: [] },
  areTold: true,
  // A minute's windows are too long for so many runs.
  pace: { timeScale: 10, atOnce: 20 },
  listing: 'quotaspec faults',
  listedBy: { fault: 'quotaspec faults lists them' },
}

export const departuresFor = (contract?: ApiContract): Departures => {
  if (!contract) return ofPetstore
  const isMeant = ({ appliesTo }: ContractVariation) => appliesTo(contract)
  return {
    contract,
    faults: contractFaults.filter(isMeant).map((each) => ({ ...each, breaks: brokenOf(each, contract) })),
    variations: contractVariations.filter(isMeant),
    others: { fault: contractFaults, variation: contractVariations },
    areTold: false,
    // Its windows may have any length, and load the machine for longer.
    pace: { timeScale: 1, atOnce: 6 },
    listing: 'quotaspec faults --contract FILE',
    listedBy: {},
  }
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

/** Throws a {@link UsageError} if an id does not apply to this contract or the Petstore; `nameOf` gives its option's name. */
export const requireDepartures = (
  given: Readonly<Record<'fault' | 'variation', readonly string[]>>,
  contract?: ApiContract,
  nameOf = (kind: keyof typeof given) => `--${kind}`,
): void => {
  const { contract: kept, faults, variations, others, listedBy } = departuresFor(contract)
  for (const [kind, rows] of [['fault', faults] as const, ['variation', variations] as const]) {
    const ids = idsOf(rows)
    const known = `known are ${ids.join(', ')}`
    for (const id of given[kind].filter((each) => !ids.includes(each))) {
      const name = `${nameOf(kind)} ${id}`
      if (idsOf(others[kind]).includes(id)) throw new UsageError(`${name}: it means nothing to ${kept.name}; ${known}`)
      const meant = nearest(id, ids)
      const hint = meant === undefined ? (listedBy[kind] ?? known) : `did you mean ${meant}?`
      throw new UsageError(`${name}: there is no such ${kind}; ${hint}`)
    }
  }
}
