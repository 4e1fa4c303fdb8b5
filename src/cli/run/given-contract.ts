import type { ApiContract } from '../../contract/api-contract.js'
import { contractFolder } from '../../run/package.js'

/**
 * The contract that `--contract` names, by path or as one of the examples; undefined for the bundled one. Prints notes on
 * possible mistakes in it. The YAML reader is loaded only if needed.
 *
 * @param where what names the contract: the beginning of the error if there is no such contract.
 */
export const givenContract = async (
  { contract }: { readonly contract?: string },
  where?: string,
): Promise<ApiContract | undefined> => {
  if (contract === undefined) return undefined
  const [{ loadContract }, { yamlFileOf }] = await Promise.all([
    import('../../contract/file/load-contract.js'),
    import('../../kit/yaml-file.js'),
  ])
  const loaded = await loadContract(yamlFileOf(contract, contractFolder, 'contract', where))
  for (const each of loaded.notes) process.stderr.write(`note: ${each}\n`)
  return loaded.contract
}
