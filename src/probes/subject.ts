import { type ApiContract, type CredentialSpec, fieldsShowing, type QuotaSpec } from '../contract/api-contract.js'
import {
  contractForQuota,
  countsAgainst,
  longerThan,
  mostAtOnceIn,
  mostBeside,
  partitionOf,
  quotaKeys,
  quotasBeside,
  windowOfQuota,
} from '../contract/partitions.js'
import { type SpellingName, spellingOfContract } from '../contract/request-spellings.js'
import { withQuery } from '../wire/http/credentials.js'
import type { Ask } from '../wire/http/exchange-sender.js'
import { mostOfWindowInPace } from './moves/fresh-window.js'
import { leastBeyondLimit, leastToSpend } from './moves/loads.js'
import { pathSpellings } from './moves/path-spellings.js'
import { inventorySpellings, mostSpellings } from './moves/refused-key.js'
import type { Asked, KeyFacts, Question } from './probe.js'

export type Asking = Pick<Ask, 'operation' | 'method' | 'path' | 'credential' | 'headers' | 'body'>

/** A quota that probes are played for, and what they send for it. */
export interface Subject {
  readonly contract: ApiContract
  readonly quota: QuotaSpec
  /** The quota's name in records; those of the bundled contract do not name it. */
  readonly name?: string
  readonly keys: readonly KeyFacts[]
  /** Whether there is an inventory, which probes read and write, and which is put back. */
  readonly hasInventory: boolean
  /** The cheap, safe request that spends a key. */
  ordinaryOf(key: KeyFacts): Asked
  /** Other ways to ask for what counts against the quota, by name. */
  spellingsOf(key: KeyFacts): Readonly<Record<string, Partial<Question>>>
  asked(key: KeyFacts, question: Question): Asking
}

/** The share of a shorter quota's rate that is used, so that it never refuses what is meant for a longer one. */
const usedOfShorter = 0.9

/**
 * Adds what the shorter quotas beside it allow the key in one of its windows, whatever the time scale. For 10 in 6 s
 * beside 6 in 3 s, an even pace takes 5.6 s and leaves no time to see it spent; two groups take half of that.
 */
const withPace = (key: KeyFacts, contract: ApiContract, quota: QuotaSpec): KeyFacts => {
  const { credential = key.name, request = quota.requests[0], inTurn = [{ credential, request }] } = key
  const allowed = mostBeside(contract, quota, inTurn)
  if (!Number.isFinite(allowed)) return key
  const { limit } = key.quota
  const inEvenPace = usedOfShorter * allowed
  const isSpentInGroups = allowed > limit && limit + leastBeyondLimit > mostOfWindowInPace * inEvenPace
  return isSpentInGroups ? { ...key, mostPerWindow: allowed, isSpentInGroups } : { ...key, mostPerWindow: inEvenPace }
}

/** Adds the longer quotas beside it, in which the key's requests need room too. */
const withLonger = (key: KeyFacts, contract: ApiContract, quota: QuotaSpec): KeyFacts => {
  const { credential = key.name, request = quota.requests[0] } = key
  const lengthMs = windowOfQuota(quota, 1)
  const longerBeside = longerThan(contract, quota, credential, request).map((other) => ({
    most: mostAtOnceIn(other, partitionOf(other, credential, request)),
    windows: windowOfQuota(other, 1) / lengthMs,
  }))
  return longerBeside.length > 0 ? { ...key, longerBeside } : key
}

/** How many requests of another credential show in Remaining whether they draw from it, or else may spend it at most. */
const [toldByRemaining, mostToSpend] = [8, 100]

/** Adds credentials whose same request counts in other quotas only: it may neither spend nor block the key (QUOTA-4). */
const withOtherCallers = (key: KeyFacts, contract: ApiContract, quota: QuotaSpec, atHand: readonly Lettered[]) => {
  const { credential = key.name, request = quota.requests[0] } = key
  const isTold = fieldsShowing(contract, 'remaining').length > 0
  const otherCallers = atHand.flatMap(({ name }) => {
    const own = contract.quotas.filter((other) => countsAgainst(other, name, request))
    if (own.length === 0 || own.some((other) => countsAgainst(other, credential, request))) return []
    const most = Math.min(...own.map((other) => mostAtOnceIn(other, partitionOf(other, name, request))))
    const requests = isTold ? Math.min(most, toldByRemaining) : leastToSpend(key.quota.limit)
    return requests > most || requests > mostToSpend ? [] : [{ credential: name, requests }]
  })
  return otherCallers.length > 0 ? { ...key, otherCallers } : key
}

/** What a client may say about itself and its origin without being anybody else: none of it opens a fresh quota. */
const disguises = [
  'X-Forwarded-For',
  'X-Real-IP',
  'Forwarded',
  'other headers of proxies',
  'another User-Agent',
  'another Accept',
  'another Accept-Encoding',
  'X-HTTP-Method-Override',
  'headers of a session',
] as const satisfies readonly (keyof typeof inventorySpellings)[]

/** The word before a key in Authorization, which may be written in any letter case (RFC 9110 §11.1). */
const otherCases = ['scheme in lower case', 'scheme in upper case'] as const satisfies readonly SpellingName[]

const keyCase = ['the key in other letter case'] as const satisfies readonly SpellingName[]

/** A credential of the run, with the letter case of its secret. */
type Lettered = Pick<KeyFacts, 'name' | 'letterCase'>

type Spelling = [name: string, question: Partial<Question>]

/** The same request written otherwise, except for headers that the service is told to trust, and the credential's own. */
const rewritten = ({ trusts = [] }: QuotaSpec, { scheme, name: place = '' }: CredentialSpec, hasLetters: boolean) => {
  const kept = new Set([...trusts, scheme === 'cookie' ? 'Cookie' : place].map((header) => header.toLowerCase()))
  const cases = scheme === 'bearer' || scheme === 'basic' ? otherCases : []
  return [...cases, ...(hasLetters ? keyCase : []), ...disguises].flatMap((name): Spelling[] => {
    const { headers, ...question }: Partial<Question> = inventorySpellings[name]
    const changed = headers?.filter(([header]) => !kept.has(header.toLowerCase()))
    return changed?.length === 0 ? [] : [[name, changed ? { ...question, headers: changed } : question]]
  })
}

/**
 * Whatever else counts in the same partition of a quota, by name: its other requests, other credentials if it counts by
 * address, and the same request written otherwise. Not a request that costs more than the ordinary one: its refusal
 * would tell nothing.
 */
const spellingsIn = (contract: ApiContract, quota: QuotaSpec, key: KeyFacts, atHand: readonly Lettered[]) => {
  const { credential = key.name, request = quota.requests[0] } = key
  const costOf = (probe: string) => quota.cost[probe] ?? 1
  const isSame = (who: string, probe: string) =>
    countsAgainst(quota, who, probe) &&
    partitionOf(quota, who, probe) === key.name &&
    costOf(probe) <= costOf(request) &&
    quotasBeside(contract, quota).every((other) => countsAgainst(other, who, probe) || !other.requests.includes(probe))
  const probes = quota.requests
    .filter((probe) => probe !== request && isSame(credential, probe))
    .map((probe): Spelling => [spellingOfContract('operation', probe), { request: probe }])
  const credentials = Object.keys(contract.credentials)
    .filter((who) => who !== credential && isSame(who, request))
    .map((who): Spelling => [spellingOfContract('credential', who), { credential: who }])
  const { path } = contract.requests[request]
  const hasLetters = atHand.some(({ name, letterCase }) => name === credential && letterCase !== undefined)
  // Pages use such a parameter to get past caches: services usually do not know it.
  const paths = Object.entries({ 'a query string': withQuery(path, '_=1'), ...pathSpellings(path) })
  const written = [
    ...rewritten(quota, contract.credentials[credential], hasLetters),
    ...paths.map(([name, spelt]): Spelling => [name, { path: spelt }]),
  ]
  return [...[...probes, ...credentials].slice(0, mostSpellings - written.length), ...written]
}

const subjectOf = (whole: ApiContract, quota: QuotaSpec, atHand: readonly Lettered[]): Subject => {
  const contract = contractForQuota(whole, quota)
  const names = atHand.map(({ name }) => name)
  return {
    contract,
    quota,
    name: quota.id,
    keys: quotaKeys(whole, quota, names).map((key) =>
      withOtherCallers(withLonger(withPace(key, whole, quota), whole, quota), contract, quota, atHand),
    ),
    hasInventory: false,
    ordinaryOf: ({ request = quota.requests[0] }) => ({ request }),
    spellingsOf: (key) => Object.fromEntries(spellingsIn(contract, quota, key, atHand)),
    asked(key, question) {
      const { request = key.request ?? quota.requests[0], as = 'agreed' } = question
      const { method, path, headers, body } = contract.requests[request]
      return {
        operation: request,
        method,
        path: question.path ?? path,
        credential: as === 'none' ? { form: as } : { form: as, key: question.credential ?? key.credential ?? key.name },
        headers: [...Object.entries(headers), ...(question.headers ?? [])],
        body,
      }
    },
  }
}

/**
 * The quotas of a contract for the run's credentials, the longest window first: what others spent before the run no
 * longer counts by the time a shorter quota beside it is tested.
 */
export const subjectsOf = (contract: ApiContract, credentials: readonly Lettered[]): Subject[] =>
  contract.quotas
    .toSorted((a, b) => windowOfQuota(b, 1) - windowOfQuota(a, 1))
    .map((quota) => subjectOf(contract, quota, credentials))
