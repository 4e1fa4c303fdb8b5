import type { ApiContract } from '../contract/api-contract.js'
import { type LoadedContract, loadContract, settleGivenContract } from '../contract/file/load-contract.js'
import { yamlFileOf } from '../kit/yaml-file.js'
import { contractFolder } from '../run/machine/package-root.js'
import type { ContractSource } from './options.js'

const load = (source: ContractSource): Promise<LoadedContract> =>
  typeof source === 'string'
    ? loadContract(yamlFileOf(source, contractFolder, 'contract'))
    : settleGivenContract(source)

/** The contract that a caller means, with what may be a mistake in it; undefined where it is the bundled one. */
export const givenContract = async (
  source: ContractSource | undefined,
): Promise<{ readonly contract: ApiContract | undefined; readonly notes: readonly string[] }> => {
  if (source === undefined) return { contract: undefined, notes: [] }
  const { contract, notes } = await load(source)
  return { contract, notes }
}
