import { brokenOf } from '../../../reference-server/any/faults/contract-fault.js'
import { contractFaults } from '../../../reference-server/any/faults.js'
import { contractVariations } from '../../../reference-server/any/variations.js'
import { agreedBlockMs } from '../../contract/agreed-block.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { faultTrial, ofItsOwn, type PlannedTrial, variationTrial } from './trials.js'

/** Faults that the release gate does not show, or does not show for what they are. */
const scenarioByFault: Readonly<Record<string, string>> = {
  'nodes-count-alone': ofItsOwn('nodes'),
}

/** The same where a refusal blocks: whoever waits for the end of the block sees no longer when the quota came back. */
const scenarioByFaultOfBlocks: Readonly<Record<string, string>> = {
  'window-doubled': ofItsOwn('steady'),
  'every-request-renews-the-window': ofItsOwn('steady'),
}

const scenarioFor = (contract: ApiContract, fault: string): string =>
  scenarioByFault[fault] ??
  (agreedBlockMs(contract) === undefined ? undefined : scenarioByFaultOfBlocks[fault]) ??
  'release-gate'

/** The trials of a server that should keep this contract: all that means something to it, in the order of the catalogues. */
export const contractTrials = (contract: ApiContract): PlannedTrial[] => [
  ...contractFaults
    .filter(({ appliesTo }) => appliesTo(contract))
    .map((fault) => ({
      ...faultTrial(fault.id, scenarioFor(contract, fault.id), brokenOf(fault, contract)),
      contract,
    })),
  ...contractVariations
    .filter(({ appliesTo }) => appliesTo(contract))
    .map(({ id }) => ({ ...variationTrial(id), contract })),
]
