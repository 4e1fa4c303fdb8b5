import type { Asked, Discovered } from '../../contract/discovered.js'
import { credentialEntry } from '../../contract/file/write-contract.js'

/** A number for the second limit of the example, where none is known. */
const exampleLimit = 60

/**
 * What to add for a second caller, and what takes one, in lines for a terminal; none where the file has two already, or
 * none that shows a credential.
 */
export const secondCredential = (
  { credential }: Pick<Asked, 'credential'>,
  { anonymous, quotas }: Pick<Discovered, 'anonymous' | 'quotas'>,
): string[] => {
  if (!credential || anonymous?.is === 'served') return []
  const [limit = exampleLimit] = quotas.flatMap((quota) => Object.values(quota.limit?.is ?? {}))
  const env = `${credential.env ?? 'API_KEY'}_2`
  return [
    'second  with one credential, nobody can tell whether each has a count of its own: discover does not find it out, and no',
    '        run judges it (QUOTA-4). With the key of another user or plan, write under credentials, beside key:',
    `          other: ${credentialEntry({ ...credential, env })}`,
    `        and set ${env}. A limit that is a number holds for both; else it is {key: ${limit}, other: ${limit * 5}}`,
  ]
}
