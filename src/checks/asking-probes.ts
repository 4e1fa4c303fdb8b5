import { loadProfiles } from './quota/load-profiles.js'

/** The probes that spend a key until it is refused. */
export const spendingProbes: readonly string[] = [
  'exhaustion',
  'while-refused',
  'cost',
  'daily',
  'ban',
  ...loadProfiles,
]

/** The probes that bring about each status of an operation; a 200 comes with whatever is asked. */
const askingProbes = {
  200: [],
  400: ['invalid-bodies'],
  401: ['no-key', 'bad-keys', 'key-before-body'],
  404: ['unknown-pet'],
  429: spendingProbes,
} as const satisfies Readonly<Record<number, readonly string[]>>

/** The kinds of a promise that speaks of answers with these statuses. */
export const statusKinds = (...statuses: readonly (keyof typeof askingProbes)[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), askingProbes[status]]))
