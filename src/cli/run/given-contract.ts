import type { ApiContract } from '../../contract/api-contract.js'
import { contractFolder } from '../../run/package.js'

/** The contract that `--contract` names, with notes on possible mistakes in it; undefined for the bundled one. */
export const givenContract = async (
  { contract: name }: { readonly contract?: string },
  where?: string,
): Promise<ApiContract | undefined> => {
  if (name === undefined) return undefined
  const [{ loadContract }, { yamlFileOf }] = await Promise.all([
    import('../../contract/file/load-contract.js'),
    import('../../kit/yaml-file.js'),
  ])
  const loaded = await loadContract(yamlFileOf(name, contractFolder, 'contract', where))
  for (const each of loaded.notes) process.stderr.write(`note: ${each}\n`)
  return loaded.contract
}
