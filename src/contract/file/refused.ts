import type { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'

/** An error in a part of a contract, by its path; whoever has the file adds the line. */
class WrongPart extends Error {
  constructor(
    readonly path: readonly PropertyKey[],
    why: string,
  ) {
    super(why)
  }
}

/** The error to throw if a part of a contract is wrong; `why` says what to write instead. */
export const refused = (path: readonly PropertyKey[], why: string): Error => new WrongPart(path, why)

/** Settles; for a wrong part, throws the {@link UsageError} that `placed` makes, which says where the part is. */
export const settling = <T>(
  settle: () => Promise<T>,
  placed: (path: readonly PropertyKey[], why: string) => UsageError,
): Promise<T> =>
  settle().catch((error: unknown) => {
    throw error instanceof WrongPart ? placed(error.path, error.message) : error
  })

/** Throws if the file does not define this name. */
export const knownOr = (path: readonly PropertyKey[], what: string, name: string, known: readonly string[]): void => {
  if (!known.includes(name)) throw refused(path, `there is no ${what} ${name}: ${suggestion(name, known)}`)
}
