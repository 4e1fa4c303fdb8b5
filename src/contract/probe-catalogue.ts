import { updateKinds } from './petstore/inventory-model.js'

interface Entry {
  /** What the probe does, in a few words; shown next to its id. */
  readonly title: string
  /** The names of its requests in the journal. */
  readonly steps: readonly string[]
}

/** Single requests after a load: during the silence, at the moment that Reset named, and after the wait. */
const questionsAfter = ['gentle', 'at-reset', 'after-wait'] as const

/** Requests sent while a key is refused, between two readings of the inventory. */
const whileRefused = ['before', 'drain', 'write-refused', 'spelling', 'unknown-key', 'after'] as const

/** Every probe by id, with its steps: the names in this table are used to play it and to read its evidence. */
export const probeCatalogue = {
  hello: {
    title: 'First look: does the target answer, are the keys valid?',
    steps: ['list', 'list-again', 'with-v1'],
  },
  'header-row': { title: 'Requests in a row, to follow the rate-limit headers', steps: ['row', 'valid', 'after'] },
  'read-write-read': {
    title: 'Changes a pet, and reads the list before and after',
    steps: ['before', 'control', 'patch', 'after', 'patch-back', 'unchanged', 'restored', 'at-once', 'after-all'],
  },
  'neighbour-ids': {
    title: 'Pets with ids above 2^53, and their neighbours',
    steps: ['before', 'patch', 'patch-absent', 'after'],
  },
  'invalid-bodies': {
    title: 'Updates, each with one mistake in the body',
    steps: ['before', 'control', 'lacking', 'invalid', 'after'],
  },
  'unknown-pet': {
    title: 'Updates of pets that do not exist',
    steps: ['before', 'control', 'unknown', 'after'],
  },
  'no-key': { title: 'Every operation without a key', steps: ['before', 'without', 'after'] },
  'bad-keys': {
    title: 'Every operation with keys that are not valid',
    // Besides the readings and the control, each step is a form of the credential; an unknown key is sent in several forms.
    steps: [
      'before',
      'control',
      'unknown-key',
      'empty-bearer',
      'key-cut-by-one',
      'key-extended',
      'key-and-comma',
      'basic',
      'basic-scheme-with-key',
      'another-scheme',
      'bearer-twice',
      'no-blank',
      'bare-key',
      'after',
    ],
  },
  'key-before-body': { title: 'A bad key together with a bad body', steps: ['before', 'denied', 'after'] },
  'scheme-case': { title: 'The word Bearer in other spellings', steps: ['control', 'other-case'] },
  'key-elsewhere': {
    title: 'The key in the query, in a cookie, in other spellings',
    steps: ['control', 'elsewhere', 'open', 'other-case'],
  },
  'quantity-bounds': {
    title: 'Quantities at the edges of what can be stored',
    steps: ['before', 'patch', 'read-back'],
  },
  'loose-requests': { title: 'Requests that the interface says nothing about', steps: ['before', 'loose', 'after'] },
  'other-operations': {
    title: 'The operations whose answers the interface leaves open',
    steps: ['before', 'with-key', 'again', 'absent'],
  },
  'model-walk': {
    title: 'Updates at random, compared with a model of the inventory',
    steps: ['before', 'control-reading', 'read', 'end', ...updateKinds],
  },
  'unknown-path': { title: 'Paths and methods that do not exist', steps: ['unknown'] },
  'hard-input': { title: 'Input that breaks careless parsers', steps: ['before', 'hard'] },
  accounting: { title: 'HEAD and OPTIONS: do they count?', steps: ['plain', 'odd'] },
  burst: {
    title: 'More than the limit at once, on a fresh window',
    steps: ['last-places', 'opener', ...questionsAfter, ...whileRefused, 'in-block', 'after-block'],
  },
  split: { title: 'The limit in parts, spread over a window', steps: questionsAfter },
  isolation: {
    title: 'One key is spent, and the others are tried',
    steps: ['before', 'ahead', 'patch', 'by-another', 'beside'],
  },
  'compliant-clients': { title: 'Clients that share a key and wait as told', steps: [] },
  'while-refused': {
    title: 'Other spellings, while the key is refused',
    steps: ['opener', ...questionsAfter, ...whileRefused],
  },
  'other-requests': { title: 'Each kind of request up to the limit', steps: questionsAfter },
  'same-plan': { title: 'Two keys of one plan: do they share a quota?', steps: ['before', 'beside'] },
  'last-slot': { title: 'Many requests at once for the last place', steps: questionsAfter },
  'cold-start': { title: 'More than the limit at once, on a key that was long silent', steps: questionsAfter },
  boundary: {
    title: 'The limit before the end of a window, and again after it',
    steps: ['opener', ...questionsAfter],
  },
  steady: { title: 'An even pace just below the limit', steps: [] },
  overload: { title: 'A pace above the limit, for several windows', steps: questionsAfter },
  exhaustion: {
    title: 'The limit spent by single requests, one after the other',
    steps: ['spend', ...questionsAfter],
  },
  recovery: { title: 'How soon the quota is back after it was spent', steps: questionsAfter },
  daily: { title: 'The whole daily quota', steps: ['before', 'other', 'after', 'gentle', 'after-wait'] },
  ban: { title: 'Refusals in a row, until the key is banned', steps: ['banned', 'asked-again'] },
  cost: { title: 'What admitted and refused answers cost', steps: questionsAfter },
  spread: {
    title: 'One key from all machines at once',
    steps: ['opener', ...questionsAfter],
  },
} as const satisfies Readonly<Record<string, Entry>>

export type ProbeId = keyof typeof probeCatalogue

/** The steps of a probe; for a union of probes, the steps of any. */
export type StepOf<P extends ProbeId> = P extends ProbeId ? (typeof probeCatalogue)[P]['steps'][number] : never
