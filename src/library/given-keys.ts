import type { ApiContract } from '../contract/api-contract.js'
import { planNames } from '../contract/plans.js'
import { listInWords } from '../kit/list-in-words.js'
import { suggestion } from '../kit/suggestion.js'
import { UsageError } from '../kit/usage-error.js'
import type { KeysGiven } from './options.js'

const known = (contract: ApiContract | undefined): readonly string[] =>
  contract ? Object.keys(contract.credentials) : planNames

/** Whether a contract has a caller that shows nothing, so that it can be played without a key. */
const needsNone = (contract: ApiContract | undefined): boolean =>
  contract !== undefined && Object.values(contract.credentials).some(({ scheme }) => scheme === 'none')

/** Throws a {@link UsageError} where a key belongs to nobody, and, unless none is `needed`, where there is none. */
export const checkKeys = (keys: KeysGiven, contract: ApiContract | undefined, needed: boolean): void => {
  const names = known(contract)
  const what = contract ? `credential of ${contract.name}` : 'plan'
  const unknown = Object.keys(keys).find((name) => !names.includes(name))
  // Not repeated: a secret may stand where its plan belongs.
  if (unknown !== undefined) throw new UsageError(`keys: a name in it is no ${what}: ${suggestion(unknown, names)}`)
  const several = Object.keys(keys).find((name) => Array.isArray(keys[name]))
  if (contract && several !== undefined)
    throw new UsageError(`keys.${several}: a credential has one secret; name another credential in the contract`)
  if (!needed || Object.keys(keys).length > 0 || needsNone(contract)) return
  throw new UsageError(
    `no key was given: add keys: { ${names[0]}: 'SECRET' }; a ${what} is one of ${listInWords(names)}`,
  )
}

/** The keys as a command takes them. */
export const keysAsFlags = (keys: KeysGiven): string[] =>
  Object.entries(keys).flatMap(([name, secrets]) => [secrets].flat().map((secret) => `${name}=${secret}`))
