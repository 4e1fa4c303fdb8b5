import { UsageError } from '../../kit/usage-error.js'
import { nameOf, type Surface } from '../surface/surface.js'
import { bareWords } from './typed-flags.js'

const wordsOf = ({ command }: Surface) => command.split(' ').slice(1)

/** So much of a word is repeated, in characters: keys that were typed are taken out of all that is printed. */
const mostShown = 60

/**
 * Throws a {@link UsageError} where a word is missing that the command needs, or one stands there for which it has no
 * place.
 */
export const checkWords = (words: readonly string[], surface: Surface): void => {
  const places = wordsOf(surface)
  const given = bareWords(words, surface.options ?? {})
  const [example] = surface.examples[0] ?? []
  const needed = places.filter((place) => place.startsWith('<')).length
  const how = `type quotaspec ${surface.command}, as in ${example}`
  if (given.length < needed) throw new UsageError(`quotaspec ${nameOf(surface)} needs more words: ${how}`)
  const takesMany = places.some((place) => place.includes('..'))
  const extra = takesMany ? undefined : given[places.length]
  if (extra === undefined) return
  const shown = extra.length > mostShown ? `${extra.slice(0, mostShown)}…` : extra
  throw new UsageError(`quotaspec ${nameOf(surface)} has no place for ${shown}: ${how}`)
}
