import { listInWords } from '../kit/words.js'

/** In what a request differs from the plain one while it counts against the same quota. */
export type SpellingKind = 'scheme' | 'address' | 'header' | 'query' | 'path' | 'operation' | 'credential' | 'other'

const kinds: Readonly<Record<string, SpellingKind>> = {
  'scheme in lower case': 'scheme',
  'scheme in upper case': 'scheme',
  'X-Forwarded-For': 'address',
  'another X-Forwarded-For': 'address',
  'X-Real-IP': 'address',
  Forwarded: 'address',
  'another User-Agent': 'header',
  'another Accept': 'header',
  'a query string': 'query',
  'another query string': 'query',
  'a trailing slash': 'path',
  'a doubled slash': 'path',
  'a percent-encoded letter': 'path',
  'a capital letter': 'path',
  'another operation': 'operation',
  'a third operation': 'operation',
  'a PATCH of another pet': 'operation',
}

const kindOf = (spelling: string): SpellingKind => {
  if (spelling.startsWith('the probe ')) return 'operation'
  if (spelling.startsWith('the credential ')) return 'credential'
  return Object.hasOwn(kinds, spelling) ? kinds[spelling] : 'other'
}

/** The kinds that some spellings are of, each once. */
export const spellingKinds = (spellings: readonly string[]): SpellingKind[] => [...new Set(spellings.map(kindOf))]

/** What several spellings of a kind have in common; of other kinds each is named. */
const together: Readonly<Partial<Record<SpellingKind, string>>> = {
  scheme: 'another case of the word Bearer',
  query: 'a query string',
  path: 'another spelling of the path',
  operation: 'another operation',
}

/** Header names for people: `X-Forwarded-For` is asked with a value that no other request has. */
const named = (spelling: string): string => {
  if (kindOf(spelling) === 'address') return `another ${spelling.replace(/^another /, '')}`
  return kindOf(spelling) === 'scheme' ? 'another case of the word Bearer' : spelling
}

/** What spellings have in common, as nouns: of both `X-Forwarded-For` and `another X-Forwarded-For`, `another X-Forwarded-For`. */
const spellingsInCommon = (spellings: readonly string[]): string[] => [
  ...new Set(
    spellingKinds(spellings).flatMap((kind) => {
      const own = spellings.filter((each) => kindOf(each) === kind)
      const common = together[kind]
      return own.length > 1 && common !== undefined ? [common] : own.map(named)
    }),
  ),
]

/** So many are named, the others counted. */
const mostNamed = 3

/** What some spellings do that open a quota: `a PATCH of another pet has a quota of its own`, `a query string opens a fresh quota`. */
export const openedInWords = (spellings: readonly string[]): string => {
  const common = spellingsInCommon(spellings)
  const shown = common.slice(0, mostNamed)
  const rest = common.length - shown.length
  const who = listInWords(rest > 0 ? [...shown, `${rest} more`] : shown)
  const isOwn = spellingKinds(spellings).every((kind) => kind === 'operation' || kind === 'credential')
  if (isOwn) return common.length === 1 ? `${who} has a quota of its own` : `${who} have quotas of their own`
  return common.length === 1 ? `${who} opens a fresh quota` : `${who} open fresh quotas`
}
