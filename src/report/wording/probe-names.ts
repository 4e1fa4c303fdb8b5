import { planName } from '../../contract/plans.js'

/** What each probe does, in a few words; its id stands beside it. */
const names: Readonly<Record<string, string>> = {
  hello: 'First look: is the target there, are the keys good?',
  'header-row': 'Requests in a row, to follow the rate-limit headers',
  'read-write-read': 'Changes a pet, and reads the list before and after',
  'neighbour-ids': 'Pets with ids above 2^53, and their neighbours',
  'invalid-bodies': 'Updates whose body is wrong in one thing each',
  'unknown-pet': 'Updates of pets that do not exist',
  'no-key': 'Every operation without a key',
  'bad-keys': 'Every operation with keys that are not valid',
  'key-before-body': 'A bad key together with a bad body',
  'scheme-case': 'The word Bearer in other spellings',
  'key-elsewhere': 'The key in the query, in a cookie, in other spellings',
  'quantity-bounds': 'Quantities at the edges of what can be stored',
  'loose-requests': 'Requests that the interface says nothing about',
  'other-operations': 'The operations whose answers are left open',
  'model-walk': 'Updates at random, compared with a model of the inventory',
  'unknown-path': 'Paths and methods that do not exist',
  'hard-input': 'Input that breaks careless parsers',
  accounting: 'HEAD and OPTIONS: do they count?',
  burst: 'More than the limit at once, on a fresh window',
  split: 'The limit in parts, spread over a window',
  isolation: 'One key is spent, and the others are asked',
  'compliant-clients': 'Clients that share a key and wait as told',
  'while-refused': 'Other spellings, while the key is refused',
  'other-requests': 'Each kind of request up to the limit',
  'same-plan': 'Two keys of one plan: do they share a quota?',
  'last-slot': 'Many requests at once for the last place',
  'cold-start': 'More than the limit at once, on a key that rested long',
  boundary: 'The limit before the end of a window, and again after it',
  steady: 'An even pace just below the limit',
  overload: 'A pace above the limit, for several windows',
  exhaustion: 'The limit spent gently, one request after the other',
  recovery: 'How soon the quota is back after it was spent',
  daily: 'The quota of a whole day',
  ban: 'Refusals in a row, until the key is banned',
  cost: 'What admitted and refused answers cost',
  restore: 'Puts the inventory back as it was',
  'asked-again': 'Asked again after a 429 that nobody had provoked',
}

/** What a probe does, for people; an id that is not known stays as it is. */
export const probeName = (id: string): string => (Object.hasOwn(names, id) ? (names[id] ?? id) : id)

/** On whose account a request went: a plan's key, a request without a valid key, or whichever key needs it. */
export const keyName = (key: string): string =>
  key === 'strangers' ? 'No valid key' : key === 'any' ? 'Any key' : planName(key)
