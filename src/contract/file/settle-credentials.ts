import type { CredentialSpec } from '../api-contract.js'
import type { ContractFile } from './contract-file-schema.js'
import { isToken } from './measures.js'
import type { Refused } from './refused.js'

type Entry = ContractFile['credentials'][string]

const specOf = ({ scheme: text, env }: Entry): CredentialSpec => {
  const [scheme, name] = text.split(' ') as [CredentialSpec['scheme'], string | undefined]
  return { scheme, ...(name === undefined ? {} : { name }), ...(env === undefined ? {} : { env }) }
}

/** `ACME_KEY_FREE`: a name for the variable that somebody forgot. */
const envFor = (api: string, credential: string): string =>
  `${api}_KEY_${credential}`.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')

/**
 * The credentials of a contract. Throws where one lacks its variable or has one too many, and where two are the same
 * caller: their requests would be counted together, and judged as if they were not.
 */
export const settleCredentials = (file: ContractFile, refused: Refused): Record<string, CredentialSpec> => {
  const callers = new Map<string, string>()
  const settled = Object.entries(file.credentials).map(([name, entry]): [string, CredentialSpec] => {
    const path = ['credentials', name]
    const spec = specOf(entry)
    if (spec.scheme === 'none' && spec.env !== undefined) {
      throw refused([...path, 'env'], 'belongs to no credential with scheme: none, which shows nothing: leave it out')
    }
    if (spec.scheme !== 'none' && spec.env === undefined) {
      throw refused(
        path,
        `needs the name of the environment variable that holds its secret: add env: ${envFor(file.name, name)}`,
      )
    }
    if (spec.scheme !== 'query' && spec.name !== undefined && !isToken(spec.name)) {
      throw refused(
        [...path, 'scheme'],
        `${spec.name} can't be the name of a ${spec.scheme}: write letters, digits and hyphens`,
      )
    }
    const other = callers.get(spec.env ?? '')
    if (other !== undefined) {
      const same = spec.env === undefined ? 'show nothing' : `have the secret in ${spec.env}`
      throw refused(
        path,
        `is the same caller as ${other}, for both ${same}: leave one out, or give it a secret of its own`,
      )
    }
    callers.set(spec.env ?? '', name)
    return [name, spec]
  })
  if (settled.length === 0) {
    throw refused(['credentials'], 'needs at least one credential: anon: {scheme: none} where requests show nothing')
  }
  return Object.fromEntries(settled)
}
