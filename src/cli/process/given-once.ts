import { UsageError } from '../../kit/usage-error.js'

/** The flag as it is typed: yargs knows each also by its name in camel case. */
const asTyped = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * A flag that takes one value and came more than once stands for none of them. Throws a {@link UsageError} that names it,
 * and none of the values, one of which may hold a secret. `lists` are the names that may come more than once.
 */
export const checkGivenOnce = (given: Readonly<Record<string, unknown>>, lists: readonly string[]): void => {
  const known = new Set(lists.map(asTyped))
  for (const [name, value] of Object.entries(given)) {
    if (!Array.isArray(value) || name === '_' || name === '--' || known.has(asTyped(name))) continue
    const flag = `--${asTyped(name)}`
    throw new UsageError(
      `${flag} was given ${value.length === 2 ? 'twice' : `${value.length} times`}, and takes one value: give it once`,
    )
  }
}
