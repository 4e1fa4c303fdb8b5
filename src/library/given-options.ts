import type { ApiContract } from '../contract/api-contract.js'
import { loadContract, settleGivenContract } from '../contract/file/load-contract.js'
import { planNames } from '../contract/plans.js'
import { UsageError } from '../kit/usage-error.js'
import { listInWords, suggestion } from '../kit/words.js'
import { yamlFileOf } from '../kit/yaml-file.js'
import { type PreparedRun, prepareRun } from '../run/options/prepare-run.js'
import type { GivenOptions } from '../run/options/run-options.js'
import { programSource, settleOptions } from '../run/options/settle-options.js'
import { contractFolder } from '../run/package.js'
import type { ContractSource, KeysGiven, PlanOptions } from './options.js'

/** The caller's contract, with notes on possible mistakes; undefined for the bundled one. */
export const givenContract = async (
  source: ContractSource | undefined,
): Promise<{ readonly contract: ApiContract | undefined; readonly notes: readonly string[] }> => {
  if (source === undefined) return { contract: undefined, notes: [] }
  const isName = typeof source === 'string'
  return isName ? loadContract(yamlFileOf(source, contractFolder, 'contract')) : settleGivenContract(source)
}

const plans = { what: 'plan', names: planNames as readonly string[], arePlans: true, needKeys: true }

/** The possible owners of keys: the plans, or the credentials of a contract, some of which may need none. */
const holdersOf = (contract: ApiContract | undefined): typeof plans =>
  contract
    ? {
        what: `credential of ${contract.name}`,
        names: Object.keys(contract.credentials),
        arePlans: false,
        needKeys: Object.values(contract.credentials).every(({ scheme }) => scheme !== 'none'),
      }
    : plans

/** Throws a {@link UsageError} if a key has no such owner. */
export const checkKeys = (keys: KeysGiven, contract: ApiContract | undefined): void => {
  const { what, names, arePlans } = holdersOf(contract)
  const unknown = Object.keys(keys).find((name) => !names.includes(name))
  // The name is not repeated: it may be a secret in the wrong place.
  if (unknown !== undefined)
    throw new UsageError(`options.keys: one of its names is not a ${what}: ${suggestion(unknown, names)}`)
  const list = arePlans ? undefined : Object.keys(keys).find((name) => Array.isArray(keys[name]))
  if (list !== undefined)
    throw new UsageError(`options.keys.${list}: a credential has one secret; name another credential in the contract`)
}

/** Requires all keys, because the library reads no environment variables. */
const requireKeys = ({ keys = {}, quotas }: PlanOptions, contract: ApiContract | undefined): void => {
  const { what, names, arePlans, needKeys } = holdersOf(contract)
  if (Object.keys(keys).length === 0 && needKeys)
    throw new UsageError(
      `no key was given: add keys: { ${names[0]}: 'SECRET' }; a ${what} is one of ${listInWords(names)}`,
    )
  if (arePlans && keys.enterprise !== undefined && !quotas?.enterprise)
    throw new UsageError(
      'an Enterprise key needs its agreed limits: add quotas: { enterprise: { minute: 300, day: 5000 } }, with your numbers',
    )
}

/** Checks everything that a caller gave, and works out the plan. Sends nothing. Throws a {@link UsageError}. */
export const prepare = async (given: PlanOptions): Promise<PreparedRun> => {
  const settled = settleOptions([programSource((given ?? {}) as GivenOptions)])
  const { contract, notes } = await givenContract(given.contract)
  checkKeys(given.keys ?? {}, contract)
  requireKeys(given, contract)
  const prepared = prepareRun(settled, {}, contract)
  return { ...prepared, remarks: [...notes, ...prepared.remarks] }
}
