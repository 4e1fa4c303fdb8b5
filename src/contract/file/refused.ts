import type { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'

/** A part of a contract that is wrong, by its path: who has the file knows its line. */
class WrongPart extends Error {
  constructor(
    readonly path: readonly PropertyKey[],
    why: string,
  ) {
    super(why)
  }
}

/** What to throw where a part of a contract is wrong, and what to write instead. */
export const refused = (path: readonly PropertyKey[], why: string): Error => new WrongPart(path, why)

/** What is settled; where a part is wrong, it throws what `placed` makes of that: a {@link UsageError} that says where. */
export const settling = <T>(
  settle: () => Promise<T>,
  placed: (path: readonly PropertyKey[], why: string) => UsageError,
): Promise<T> =>
  settle().catch((error: unknown) => {
    throw error instanceof WrongPart ? placed(error.path, error.message) : error
  })

/** Throws where a name stands for nothing that the file knows. */
export const knownOr = (path: readonly PropertyKey[], what: string, name: string, known: readonly string[]): void => {
  if (!known.includes(name)) throw refused(path, `there is no ${what} ${name}: ${suggestion(name, known)}`)
}
