import type { HeaderField, ResetUnit } from './api-contract.js'

/** The three fields that most APIs have and nobody standardised; they differ in how they write the reset. */
const xRateLimit = (as: ResetUnit): readonly HeaderField[] => [
  { name: 'X-RateLimit-Limit', is: 'limit', level: 'must' },
  { name: 'X-RateLimit-Remaining', is: 'remaining', level: 'must' },
  { name: 'X-RateLimit-Reset', is: 'reset', as, level: 'must' },
]

/** The three fields of draft-ietf-httpapi-ratelimit-headers up to 06: Reset is in seconds from now. */
const threeFields: readonly HeaderField[] = [
  { name: 'RateLimit-Limit', is: 'limit', level: 'should' },
  { name: 'RateLimit-Remaining', is: 'remaining', level: 'should' },
  { name: 'RateLimit-Reset', is: 'reset', as: 'delta-s', level: 'should' },
]

/**
 * Fields that many APIs share, by preset name: `headers: draft-11`. Fields of the IETF's drafts are a hint, so a `should`;
 * the others are a promise, so a `must`. A contract may give another level.
 */
const presets = {
  'x-ratelimit-epoch': xRateLimit('epoch-s'),
  'x-ratelimit-epoch-ms': xRateLimit('epoch-ms'),
  'x-ratelimit-delta': xRateLimit('delta-s'),
  'x-ratelimit-delta-ms': xRateLimit('delta-ms'),
  'x-ratelimit-duration': xRateLimit('duration'),
  'x-ratelimit-iso-8601': xRateLimit('iso-8601'),
  'x-ratelimit-http-date': xRateLimit('http-date'),
  'draft-03': threeFields,
  // 06 has the policy in a separate field, as 07 does: `60;w=60`.
  'draft-06': [{ name: 'RateLimit-Policy', is: 'draft-07-policy', level: 'should' }, ...threeFields],
  'draft-07': [
    { name: 'RateLimit-Policy', is: 'draft-07-policy', level: 'should' },
    { name: 'RateLimit', is: 'draft-07', level: 'should' },
  ],
  // The form since draft 08: `"permin";q=50;w=60` and `"permin";r=9;t=30`.
  'draft-11': [
    { name: 'RateLimit-Policy', is: 'draft-11-policy', level: 'should' },
    { name: 'RateLimit', is: 'draft-11', level: 'should' },
  ],
  none: [],
} satisfies Readonly<Record<string, readonly HeaderField[]>>

export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as readonly PresetName[]
export const headerPresets: Readonly<Record<PresetName, readonly HeaderField[]>> = presets
