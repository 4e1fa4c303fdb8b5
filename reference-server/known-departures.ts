import type { ApiContract } from '../src/contract/api-contract.js'
import { suggestion } from '../src/kit/suggestion.js'
import { UsageError } from '../src/kit/usage-error.js'

interface Departed {
  readonly id: string
  readonly appliesTo?: (contract: ApiContract) => boolean
}

/** Throws a {@link UsageError} where an id of `--fault` or `--variation` is none, or means nothing to the contract. */
export const requireDepartures = (
  flag: 'fault' | 'variation',
  given: readonly string[],
  catalogue: readonly Departed[],
  contract?: ApiContract,
): void => {
  const applicable = catalogue.filter(({ appliesTo }) => !contract || !appliesTo || appliesTo(contract))
  const ids = applicable.map(({ id }) => id)
  for (const id of given) {
    if (ids.includes(id)) continue
    if (contract && catalogue.some((each) => each.id === id))
      throw new UsageError(`--${flag} ${id}: it means nothing to ${contract.name}; known are ${ids.join(', ')}`)
    const hint = suggestion(id, ids)
    const listed = !contract && flag === 'fault' && hint.startsWith('known')
    throw new UsageError(`--${flag} ${id}: there is no such ${flag}; ${listed ? 'quotaspec faults lists them' : hint}`)
  }
}
