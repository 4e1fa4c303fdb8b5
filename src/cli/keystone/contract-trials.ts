import { brokenOf } from '../../../reference-server/any/contract-fault.js'
import { contractFaults } from '../../../reference-server/any/faults.js'
import { contractVariations } from '../../../reference-server/any/variations.js'
import type { ApiContract } from '../../contract/any/api-contract.js'
import { ofItsOwn, type PlannedTrial } from './trials.js'

/** Faults that the release gate does not show, or does not show for what they are. */
const scenarioByFault: Readonly<Record<string, string>> = {
  'nodes-count-alone': ofItsOwn('nodes'),
}

/** The trials of a server that should keep this contract: all that means something to it, in the order of the catalogues. */
export const contractTrials = (contract: ApiContract): PlannedTrial[] => [
  ...contractFaults
    .filter(({ appliesTo }) => appliesTo(contract))
    .map(({ id, breaks }) => ({
      kind: 'fault' as const,
      id,
      scenario: scenarioByFault[id] ?? 'release-gate',
      expected: brokenOf(breaks, contract),
      server: { faults: [id] },
      contract,
    })),
  ...contractVariations
    .filter(({ appliesTo }) => appliesTo(contract))
    .map(({ id }) => ({
      kind: 'variation' as const,
      id,
      scenario: 'release-gate',
      expected: [],
      server: { variations: [id] },
      contract,
    })),
]
