import { fewOf, listInWords } from '../kit/words.js'

const otherCase = { kind: 'scheme', said: 'another letter case of the scheme' } as const

/** Headers in which some proxies name the client's address: tried all at once. */
export const rareAddressHeaders = [
  'CF-Connecting-IP',
  'True-Client-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'Fastly-Client-IP',
] as const

/** All address headers: each of the common ones is tried alone. */
export const addressHeaders = ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', ...rareAddressHeaders] as const

/** Every other way to write the same request, by its name in exchanges and findings. */
const known = {
  'scheme in lower case': otherCase,
  'scheme in upper case': otherCase,
  'the key in other letter case': { kind: 'key' },
  'blanks behind the key': { kind: 'key' },
  'a tab before the key': { kind: 'key' },
  'more blanks before the key': { kind: 'key' },
  'the key percent-encoded': { kind: 'key' },
  'X-Forwarded-For': { kind: 'address', said: 'another X-Forwarded-For' },
  'another X-Forwarded-For': { kind: 'address' },
  'X-Real-IP': { kind: 'address', said: 'another X-Real-IP' },
  Forwarded: { kind: 'address', said: 'another Forwarded' },
  'other headers of proxies': { kind: 'address', said: 'another header in which proxies name the client' },
  'another User-Agent': { kind: 'header' },
  'another Accept': { kind: 'header' },
  'another Accept-Encoding': { kind: 'header' },
  'X-HTTP-Method-Override': { kind: 'header', said: 'an X-HTTP-Method-Override' },
  'headers of a session': { kind: 'header', said: 'another cookie, language, page, request, device, client or user' },
  'X-Api-Key': { kind: 'header', said: 'an X-Api-Key besides' },
  'a query string': { kind: 'query' },
  'another query string': { kind: 'query' },
  'a trailing slash': { kind: 'path' },
  'a doubled slash': { kind: 'path' },
  'a percent-encoded letter': { kind: 'path' },
  'a capital letter': { kind: 'path' },
  'another operation': { kind: 'operation' },
  'a third operation': { kind: 'operation' },
  'a PATCH of another pet': { kind: 'operation' },
  'a PATCH that changes nothing': { kind: 'operation' },
  'a PATCH with a long body': { kind: 'body' },
} as const
export type SpellingName = keyof typeof known

/** How a request differs from the plain one that counts against the same quota. */
export type SpellingKind = (typeof known)[SpellingName]['kind'] | 'credential' | 'other'

interface Spelling {
  readonly kind: SpellingKind
  readonly said?: string
}

/** The spellings that write, even if only what is there already: sent only if the run may write. */
export const writingSpellings = [
  'a PATCH of another pet',
  'a PATCH that changes nothing',
  'a PATCH with a long body',
] as const

/** Prefixes of names for a contract's other requests and credentials that count against the same quota. */
const ofContract = { operation: 'the request ', credential: 'the credential ' } as const
/** How older runs name another request. */
const formerRequest = 'the probe '

/** The name of a contract's other request or credential. */
export const spellingOfContract = (kind: keyof typeof ofContract, name: string): string => `${ofContract[kind]}${name}`

const spellingOf = (name: string): Spelling => {
  if (Object.hasOwn(known, name)) return known[name as SpellingName]
  if (name.startsWith(ofContract.credential)) return { kind: 'credential' }
  return { kind: [ofContract.operation, formerRequest].some((each) => name.startsWith(each)) ? 'operation' : 'other' }
}

export const spellingKinds = (spellings: readonly string[]): SpellingKind[] => [
  ...new Set(spellings.map((name) => spellingOf(name).kind)),
]

/** A common name for several spellings of a kind; in other kinds each is named. */
const together: Readonly<Partial<Record<SpellingKind, string>>> = {
  scheme: otherCase.said,
  query: 'a query string',
  path: 'another spelling of the path',
  operation: 'another operation',
}

/** Common names of spellings: `X-Forwarded-For` and `another X-Forwarded-For` become `another X-Forwarded-For`. */
const spellingsInCommon = (spellings: readonly string[]): string[] => [
  ...new Set(
    spellingKinds(spellings).flatMap((kind) => {
      const own = spellings.filter((each) => spellingOf(each).kind === kind)
      const common = together[kind]
      return own.length > 1 && common !== undefined ? [common] : own.map((each) => spellingOf(each).said ?? each)
    }),
  ),
]

const mostNamed = 3

/** Whether {@link openedInWords} names each of them, in order. */
export const areAllNamed = (spellings: readonly string[]): boolean =>
  spellings.length <= mostNamed && spellingsInCommon(spellings).join() === spellings.join()

/** The breach of spellings that escape a quota: `a PATCH of another pet has a quota of its own`. */
export const openedInWords = (spellings: readonly string[]): string => {
  const common = spellingsInCommon(spellings)
  const who = listInWords(fewOf(common, mostNamed))
  const isOwn = spellingKinds(spellings).every((kind) => kind === 'operation' || kind === 'credential')
  if (isOwn) return common.length === 1 ? `${who} has a quota of its own` : `${who} have quotas of their own`
  return common.length === 1 ? `${who} opens a fresh quota` : `${who} open fresh quotas`
}
