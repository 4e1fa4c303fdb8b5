import { existsSync } from 'node:fs'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { nameOf, type Surface } from '../surface/surface.js'

const mostShown = 60

const sayWhat = 'say what to do: quotaspec run --target URL is the usual one; quotaspec --help lists the others'

/** A file of YAML, or a name that a scenario has. */
const isScenario = (word: string, scenarios: readonly string[]): boolean =>
  scenarios.includes(word) || (/\.ya?ml$/i.test(word) && existsSync(word))

/** What is to be said of a first word that is no command. */
const refusal = (word: string, names: readonly string[], scenarios: readonly string[]): string => {
  const shown = word.length > mostShown ? `${word.slice(0, mostShown)}…` : word
  if (isScenario(word, scenarios)) return `${shown} is a scenario: quotaspec run ${shown} --target URL`
  if (/^https?:\/\//i.test(word)) return `an address stands behind --target: quotaspec run --target ${shown}`
  const near = suggestion(word, [...names, ...scenarios])
  const meant = scenarios.find((each) => near === `did you mean ${each}?`)
  if (meant !== undefined) return `there is no command ${shown}; did you mean quotaspec run ${meant}?`
  return `there is no command ${shown}; ${near.startsWith('known') ? 'quotaspec --help lists all of them' : near}`
}

/**
 * The command that a command line begins with. Throws a {@link UsageError} where its first word is none: a scenario there
 * is taken for what it is.
 *
 * @param scenarios the names of those that are bundled.
 */
export const meantCommand = (
  words: readonly string[],
  surfaces: readonly Surface[],
  scenarios: readonly string[],
): Surface => {
  const [first] = words
  if (first === undefined) throw new UsageError(sayWhat)
  if (first.startsWith('-')) {
    const later = words.find((word) => surfaces.some((each) => nameOf(each) === word))
    throw new UsageError(later === undefined ? sayWhat : `the command comes first: quotaspec ${later} ${first} …`)
  }
  const found = surfaces.find((each) => nameOf(each) === first)
  if (found) return found
  throw new UsageError(refusal(first, surfaces.map(nameOf), scenarios))
}
