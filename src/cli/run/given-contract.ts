import type { ApiContract } from '../../contract/api-contract.js'
import { contractFolder } from '../../run/package.js'

/**
 * The contract that `--contract` names, by its path or as one of the examples; undefined where the bundled one is meant.
 * What may be a mistake in it is said. What reads YAML is loaded only where there is some to read.
 *
 * @param where what stands before the error where there is none: the place that names it.
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
