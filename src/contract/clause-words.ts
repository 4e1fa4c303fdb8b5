import type { ClauseId } from './clauses.js'

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
  'INV-8': 'refused updates change the inventory all the same',
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

/** The same in a few words, for clauses about a plan's own limiter. */
const onPlan: Readonly<Record<string, string>> = {
  'RATE-1': 'rate-limit headers are missing',
  'RATE-2': 'the headers show another limit',
  'RATE-3': 'Remaining is out of range',
  'RATE-4': 'Remaining is wrong',
  'RATE-5': 'Reset is not the end of a window',
  'RATE-6': 'Reset is too early',
  'RATE-7': 'rate-limit headers are malformed',
  'QUOTA-3': 'its daily limit is not kept',
  'QUOTA-4': 'it shares its quota with another plan',
  'QUOTA-5': 'its quota is not the agreed one',
  'QUOTA-6': 'other spellings get past it',
  'THROTTLE-1': 'it does not refuse with a 429 at once',
  'THROTTLE-2': 'Retry-After is missing',
  'THROTTLE-3': 'Retry-After has no valid form',
  'THROTTLE-4': 'Retry-After is too short',
  'THROTTLE-5': 'Retry-After is too long',
  'THROTTLE-6': 'it bans or starves clients that wait as told',
  'THROTTLE-7': 'a block is not as long as agreed',
  'THROTTLE-8': 'its refusals may be cached',
}

/** What is wrong with a plan that otherwise keeps its limit; `undefined` for a clause that is not about plans. */
export const brokenOnPlan = (clauseId: string): string | undefined =>
  Object.hasOwn(onPlan, clauseId) ? onPlan[clauseId] : undefined
