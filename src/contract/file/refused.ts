import type { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { refusalAt, type YamlFile } from '../../kit/yaml-file.js'

/** What to throw where a part of a contract is wrong: its line and field, and what to write instead. */
export type Refused = (path: readonly PropertyKey[], why: string) => UsageError

export const refusedIn =
  (place: YamlFile): Refused =>
  (path, why) =>
    refusalAt(place, path, why)

/** Throws where a name stands for nothing that the file knows. */
export const knownOr = (
  refused: Refused,
  path: readonly PropertyKey[],
  what: string,
  name: string,
  known: readonly string[],
): void => {
  if (!known.includes(name)) throw refused(path, `there is no ${what} ${name}: ${suggestion(name, known)}`)
}
