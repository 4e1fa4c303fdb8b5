import { type ApiContract, fieldsShowing, mayRepeat, type QuotaSpec, type ShownPart, waitName } from './api-contract.js'
import { agreedBlockMs } from './partitions.js'

/** What a breach of a clause means: `must` fails the run, `should` warns, `observe` is only reported. */
export type Level = QuotaSpec['level']

const gravity: Readonly<Record<Level, number>> = { observe: 0, should: 1, must: 2 }

/** The gravest level; `observe` if there are none. */
export const gravestOf = (levels: readonly Level[]): Level =>
  levels.reduce((gravest, each) => (gravity[each] > gravity[gravest] ? each : gravest), 'observe')

export const areas = {
  BASE: 'Base',
  SCHEMA: 'Schemas',
  INV: 'Inventory',
  AUTH: 'Authentication',
  ERR: 'Errors',
  RATE: 'Rate-limit headers',
  QUOTA: 'Quotas',
  THROTTLE: 'Over the limit',
  VER: 'Versioning',
  CLIENT: 'What the interface asks of clients',
} as const

export type Area = keyof typeof areas

export interface Clause {
  readonly id: string
  readonly level: Level
  /** Where it comes from: a section of the interface document, or the standard that demands it. */
  readonly source: string
  readonly sentence: string
}

const atLevel =
  <L extends Level>(level: L) =>
  (source: string, sentence: string) => ({ level, source, sentence })
const [must, should, observe] = [atLevel('must'), atLevel('should'), atLevel('observe')]

/** Every testable statement of the Petstore Service Interface. Ids are permanent: reports and waivers name them. */
const ledger = {
  'BASE-1': must('§1', 'Every body of an operation is declared as application/json and parses as UTF-8 JSON.'),
  'BASE-2': must('§1, §9', 'The operations live under a base address whose path ends with /v1.'),

  'SCHEMA-1': must('§2', 'Every entry has a petId: an int64 integer that keeps all its digits.'),
  'SCHEMA-2': must('§2', 'Every entry has a quantity: an integer.'),
  'SCHEMA-3': must('§2, §3', 'Every entry has a status: available, pending or sold.'),
  'SCHEMA-4': observe('§2', 'Which fields an inventory entry has beyond the three that are defined.'),

  'INV-1': must('§4', 'GET /inventory with a valid key answers 200 with an array of inventory entries.'),
  'INV-2': must('§4', 'The list is current: it shows a changed quantity, and leaves every other entry as it was.'),
  'INV-3': must('§4', 'A successful PATCH answers 200 with the updated entry: that petId, that quantity.'),
  'INV-4': must('§4, §7', 'A PATCH body without quantity, or no body at all, gets 400.'),
  'INV-5': must('§4, §7', 'A PATCH body that is not a JSON object, or whose quantity is not an integer, gets 400.'),
  'INV-6': must('§4, §7', 'A PATCH of an int64 petId that no entry has gets 404.'),
  'INV-7': must('§4', 'petId names exactly one entry, over all of int64: neighbours above 2^53 are different pets.'),
  'INV-8': must('§4, §7, §8', 'A PATCH that gets 400, 404, 429, or 403 under a ban, changes nothing.'),
  'INV-9': must('§4', 'GET /pets/{petId} and GET /store/orders exist: without a key they answer 401.'),
  'INV-10': observe('§8', 'Which quantities the target accepts; it stores an accepted one digit for digit.'),
  'INV-11': observe(
    '§4',
    'How the target answers a petId that is not int64, an unknown field or an undeclared body type.',
  ),
  'INV-12': observe('§4', 'How GET /pets/{petId} and GET /store/orders answer a valid key.'),

  'AUTH-1': must('§5.1, §5.3', 'Every operation answers 401 without an Authorization header.'),
  'AUTH-2': must('§5.3', 'Every operation answers 401 to a well-formed but unknown key.'),
  'AUTH-3': must('§5.2', 'The target accepts Authorization: Bearer with a valid key.'),
  'AUTH-4': must('§5.2, §5.3', 'A credential in any other form, or a key cut short or extended, gets 401.'),
  'AUTH-5': must('§5.3', 'The target checks the key before the body and the pet: without a valid key it answers 401.'),
  'AUTH-6': must('§5.1', 'A PATCH that gets 401 changes nothing.'),
  'AUTH-7': should('RFC 9110 §11.1', 'The target accepts the word Bearer in any letter case.'),
  'AUTH-8': should('RFC 9110 §11.6.1, RFC 6750 §3', 'A 401 carries WWW-Authenticate with a Bearer challenge.'),
  'AUTH-9': should('RFC 6750 §2.3', 'The target does not accept a key that comes only in the query or in a cookie.'),

  'ERR-1': must('§2, §7', 'Every 400, 401 and 404 of an operation carries code, message and status.'),
  'ERR-2': must('§2', 'status in an Error body equals the HTTP status.'),
  'ERR-3': should('§2', 'code is fit for programs: not empty, and the same for the same condition.'),
  'ERR-4': observe('§7', 'Whether a 429 carries an Error body.'),
  'ERR-5': should('good sense', 'No input causes a 5xx, and no error shows a stack trace or a file path.'),
  'ERR-6': observe('not stated', 'How the target answers an unknown path and an undeclared method.'),

  'RATE-1': must('§8.1', 'Every response of an operation carries X-RateLimit-Limit, -Remaining and -Reset.'),
  'RATE-2': must('§8', "Limit is an integer: the limit per minute or per day of the key's plan."),
  'RATE-3': must('§8.1', 'Remaining is an integer from 0 to Limit, and 0 on a 429 of the window that it shows.'),
  'RATE-4': must('§8.1', 'Remaining shows the current usage: it falls by one with each request.'),
  'RATE-5': must('§8.2', 'Reset is a Unix timestamp in seconds, between now and the end of the window.'),
  'RATE-6': must('§8.2', 'Reset is honest: from that moment on, the quota is available again.'),
  'RATE-7': should('good sense', 'Each of the three headers appears once; Limit and Reset are plain decimal integers.'),

  'QUOTA-1': must('§8', 'No plan admits more than its limit per minute, however many connections ask at once.'),
  'QUOTA-2': must('§8', 'No plan refuses a request that its limit per minute still allows.'),
  'QUOTA-3': must('§8', 'The target enforces the limit per day, and refuses nothing within it.'),
  'QUOTA-4': must(
    '§8',
    'Each plan has its own limits, and its keys neither spend nor block the quota of another plan.',
  ),
  'QUOTA-5': must('§8.5', 'The target enforces Enterprise quotas as agreed.'),
  'QUOTA-6': must('§8', 'The limit follows the key: no other spelling of a request gets a fresh quota.'),
  'QUOTA-7': observe('§8', 'Which answers count against the quota.'),
  'QUOTA-8': observe('§8', 'Which algorithm the limiter uses, and the most that it admits in any minute.'),
  'QUOTA-9': observe('§8', 'Whether two keys of one plan share a quota.'),

  'THROTTLE-1': must('§8.3', 'A request over the limit gets 429 at once.'),
  'THROTTLE-2': must('§8.3', 'A 429 carries Retry-After.'),
  'THROTTLE-3': should('RFC 9110 §10.2.3', 'Retry-After is a whole number of seconds or an HTTP-date.'),
  'THROTTLE-4': must('§8.3', 'Retry-After is honest: a client that stays silent that long is then admitted.'),
  'THROTTLE-5': should('good sense', 'Retry-After does not point past the moment when the quota is available again.'),
  'THROTTLE-6': must('§8.4', 'A client that waits as told and backs off is never banned, and gets its work done.'),
  'THROTTLE-7': observe('§8.4', 'The ban: what triggers it, how it shows, how long it lasts.'),
  'THROTTLE-8': should('RFC 6585 §4', 'A 429 is not marked as cacheable.'),

  'VER-1': should('§9, RFC 9745, RFC 8594', 'GET /pets/{petId} carries a Deprecation or a Sunset header.'),
  'VER-2': observe('§9', 'How the target shows stability markers, if at all.'),

  'CLIENT-1': must('§8.3', 'After a 429 the client sends nothing on that key until Retry-After is over.'),
  'CLIENT-2': must('§8.4', 'Its waits grow exponentially while the server keeps refusing it.'),
  'CLIENT-3': should('good sense', 'The waits that it chooses itself have jitter, and its attempts are bounded.'),
  'CLIENT-4': should(
    'RFC 9110 §10.2.3',
    'It understands both forms of Retry-After, and does not hammer after an unusable one.',
  ),
  'CLIENT-5': must('§5.2', 'It sends its key as Authorization: Bearer.'),
} as const

export type ClauseId = keyof typeof ledger

export type ObservedId = {
  [Id in ClauseId]: (typeof ledger)[Id]['level'] extends 'observe' ? Id : never
}[ClauseId]

type PetstoreClause = Clause & { readonly id: ClauseId }

export const clauses = Object.entries(ledger).map(([id, said]): PetstoreClause => ({ id: id as ClauseId, ...said }))

const byId = new Map<string, PetstoreClause>(clauses.map((clause) => [clause.id, clause]))

/** The clause of an id that is known to exist. */
export const clauseOf = (id: ClauseId): PetstoreClause => {
  const clause = byId.get(id)
  if (!clause) throw new Error(`no clause ${id}`)
  return clause
}

export const areaOf = (id: ClauseId): Area => id.slice(0, id.indexOf('-')) as Area

/** What a contract file asks for, in words for any API. Each id is that of the Petstore's clause with the same meaning. */
const ofAnyQuota = {
  'RATE-1': 'Every answer carries the headers that show the quota.',
  'RATE-2': 'The limit in the headers is the agreed one.',
  'RATE-3': 'The remaining quota in the headers is a whole number from 0 to the limit, and 0 on a refusal.',
  'RATE-4': 'The remaining quota in the headers falls with each request that counts.',
  'RATE-5': 'Reset has the agreed form, and lies between now and the end of the window.',
  'RATE-6': 'Reset is honest: from that moment on, the quota is available again.',
  'RATE-7': 'Each header that holds one value comes once.',
  'QUOTA-1': 'The API admits no more than the quota allows, however many connections ask at once.',
  'QUOTA-2': 'The API refuses nothing that the quota still allows.',
  'QUOTA-4':
    'Each credential, address or request that the quota counts by has its own count: none spends or blocks the quota of another.',
  'QUOTA-6':
    'Everything that counts against the quota is counted together: no other request or spelling gets a fresh quota.',
  'QUOTA-8': 'Which limiters explain what the run saw, and the most that was admitted in any window.',
  'THROTTLE-1': 'A request over the limit is refused at once, as agreed.',
  'THROTTLE-2': 'A refusal carries Retry-After.',
  'THROTTLE-3': 'Retry-After has the agreed form.',
  'THROTTLE-4': 'Retry-After is honest: a client that stays silent that long is then admitted.',
  'THROTTLE-5': 'Retry-After does not point past the moment when the quota is available again.',
  'THROTTLE-6': 'A client that waits as told and backs off is never banned, and gets its work done.',
  'THROTTLE-7':
    'A block lasts as long as agreed; the report says what triggers a ban, how it shows and how long it lasts.',
  'THROTTLE-8': 'A refusal is not marked as cacheable.',
} as const satisfies Readonly<Partial<Record<ClauseId, string>>>

export type ContractClauseId = keyof typeof ofAnyQuota

/** A clause in words for any API; undefined if contract files have no such clause. */
export const sentenceOfAnyQuota = (id: ClauseId): string | undefined =>
  Object.hasOwn(ofAnyQuota, id) ? ofAnyQuota[id as ContractClauseId] : undefined

const partOf: Readonly<Partial<Record<ContractClauseId, ShownPart>>> = {
  'RATE-2': 'limit',
  'RATE-3': 'remaining',
  'RATE-4': 'remaining',
  'RATE-5': 'reset',
  'RATE-6': 'reset',
}

/** The fields that hold one value, so that they may come only once (RFC 9110 §5.3). */
export const singleFields = ({ headers }: Pick<ApiContract, 'headers'>) => headers.filter((field) => !mayRepeat(field))

/** The fields that a clause is about; for RATE-6 (Reset is honest) only those that refusals carry too. */
const fieldsOf = (contract: ApiContract, id: ContractClauseId) => {
  const part = partOf[id]
  if (part) return fieldsShowing(contract, part).filter(({ on }) => id !== 'RATE-6' || on === undefined)
  return id === 'RATE-7' ? singleFields(contract) : contract.headers
}

/** The level that a contract gives a clause; undefined if the contract makes no such promise. */
export const levelByContract = (contract: ApiContract, id: ContractClauseId): Level | undefined => {
  const { retryAfter, quotas, backoff } = contract
  if (id.startsWith('RATE-')) {
    const fields = fieldsOf(contract, id)
    if (fields.length === 0) return undefined
    const level = gravestOf(fields.map((field) => field.level))
    return id === 'RATE-7' ? softened(level) : level
  }
  if (/^THROTTLE-[2345]$/.test(id)) {
    if (retryAfter === null) return undefined
    // The contract promises that it is there, honest and well-formed; how long it may be is only good sense.
    return id === 'THROTTLE-5' ? softened(retryAfter.level) : retryAfter.level
  }
  if (id === 'THROTTLE-6' && backoff !== undefined) return backoff === 'none' ? undefined : backoff
  if (id === 'THROTTLE-8') return 'should'
  if (id === 'QUOTA-8' || (id === 'THROTTLE-7' && agreedBlockMs(contract) === undefined)) return 'observe'
  return gravestOf(quotas.map(({ level }) => level))
}

/** At most `should`, for what only the standards and good sense ask for. */
const softened = (level: Level): Level => (level === 'must' ? 'should' : level)

const ofContract = (contract: ApiContract): PetstoreClause[] =>
  (Object.keys(ofAnyQuota) as ContractClauseId[]).flatMap((id) => {
    const level = levelByContract(contract, id)
    const sentence = ofAnyQuota[id].replace('Retry-After', waitName(contract))
    return level === undefined ? [] : [{ ...clauseOf(id), level, source: contract.name, sentence }]
  })

const ofTarget = clauses.filter(({ id }) => !id.startsWith('CLIENT-'))

/** The clauses that a target has to keep, in order: those of a contract file or, without one, the Petstore's. */
export const clausesOf = (contract?: ApiContract): readonly PetstoreClause[] =>
  contract ? ofContract(contract) : ofTarget

/** What a target does to break a clause, for people who never read one: the start of a sentence, before the id. */
const broken = {
  'BASE-1': 'some bodies are not the JSON that they have to be',
  'BASE-2': 'the operations are not under /v1',
  'SCHEMA-1': 'pet ids are missing, are not integers, or lose digits',
  'SCHEMA-2': 'quantities are missing or are not integers',
  'SCHEMA-3': 'the status of a pet is missing or unknown',
  'INV-1': 'GET /inventory does not answer with a list of pets',
  'INV-2': 'the list does not show a change, or shows changes that nobody made',
  'INV-3': 'an update is not answered with the updated pet',
  'INV-4': 'an update without a quantity is not answered 400',
  'INV-5': 'an update with an invalid quantity is not answered 400',
  'INV-6': 'an update of a pet that does not exist is not answered 404',
  'INV-7': 'pets with large ids are confused with each other',
  'INV-8': 'refused updates still change the inventory',
  'INV-9': 'operations are missing',
  'AUTH-1': 'requests without a key are not answered 401',
  'AUTH-2': 'unknown keys are accepted',
  'AUTH-3': 'a valid key is not accepted',
  'AUTH-4': 'credentials that are not a valid key are accepted',
  'AUTH-5': 'something else is checked before the key',
  'AUTH-6': 'updates without a valid key change the inventory',
  'AUTH-7': 'the word Bearer is accepted in only one letter case',
  'AUTH-8': '401 answers do not ask for a Bearer key',
  'AUTH-9': 'a key in the query or in a cookie is accepted',
  'ERR-1': 'error answers lack their code, message or status',
  'ERR-2': 'the "status" in JSON error bodies is not the status of the answer',
  'ERR-3': 'error codes are empty, or differ for the same condition',
  'ERR-5': 'some input causes a 5xx, or reveals internals',
  'RATE-1': 'some answers lack rate-limit headers',
  'RATE-2': 'the limit in the headers is not the agreed one',
  'RATE-3': 'Remaining is out of range',
  'RATE-4': 'Remaining does not follow the usage',
  'RATE-5': 'Reset is not a possible end of the window',
  'RATE-6': 'the quota is not back when Reset says so',
  'RATE-7': 'rate-limit headers come twice, or are not plain integers',
  'QUOTA-1': 'more is admitted than the limit allows',
  'QUOTA-2': 'requests are refused that the limit still allows',
  'QUOTA-3': 'the daily limit is not kept',
  'QUOTA-4': 'one plan spends or blocks the quota of another',
  'QUOTA-5': 'the Enterprise quota is not the agreed one',
  'QUOTA-6': 'another spelling of a request gets a fresh quota',
  'THROTTLE-1': 'requests over the limit are not refused at once with a 429',
  'THROTTLE-2': 'refusals carry no Retry-After',
  'THROTTLE-3': 'Retry-After has no valid form',
  'THROTTLE-4': 'clients that wait as long as Retry-After says are refused again',
  'THROTTLE-5': 'Retry-After names a longer wait than needed',
  'THROTTLE-6': 'clients that wait as told are banned, or never served',
  'THROTTLE-7': 'a block does not last as long as agreed',
  'THROTTLE-8': 'refusals may be cached',
  'VER-1': 'the old operation is not marked as deprecated',
} as const satisfies Readonly<Partial<Record<ClauseId, string>>>

/** The breach of a clause in plain words; `undefined` for a clause that cannot fail or that a later version added. */
export const brokenInWords = (clauseId: string): string | undefined =>
  Object.hasOwn(broken, clauseId) ? broken[clauseId as keyof typeof broken] : undefined
