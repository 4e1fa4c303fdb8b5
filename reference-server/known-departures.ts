import type { ApiContract } from '../src/contract/api-contract.js'
import { nearest } from '../src/kit/suggestion.js'
import { UsageError } from '../src/kit/usage-error.js'

interface Departed {
  readonly id: string
  readonly appliesTo?: (contract: ApiContract) => boolean
}

/**
 * Throws a {@link UsageError} where an id of `--fault` or `--variation` is none, or means nothing to the contract.
 *
 * @param name what the caller calls them.
 */
export const requireDepartures = (
  flag: 'fault' | 'variation',
  given: readonly string[],
  catalogue: readonly Departed[],
  contract?: ApiContract,
  name = `--${flag}`,
): void => {
  const applicable = catalogue.filter(({ appliesTo }) => !contract || !appliesTo || appliesTo(contract))
  const ids = applicable.map(({ id }) => id)
  for (const id of given) {
    if (ids.includes(id)) continue
    if (contract && catalogue.some((each) => each.id === id))
      throw new UsageError(`${name} ${id}: it means nothing to ${contract.name}; known are ${ids.join(', ')}`)
    const meant = nearest(id, ids)
    const list = !contract && flag === 'fault' ? 'quotaspec faults lists them' : `known are ${ids.join(', ')}`
    const hint = meant === undefined ? list : `did you mean ${meant}?`
    throw new UsageError(`${name} ${id}: there is no such ${flag}; ${hint}`)
  }
}
