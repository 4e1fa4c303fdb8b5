import type { Finding } from '../../verdict/verdict.js'
import { spendingProbes } from './asking-probes.js'
import type { PlayAgain } from './check.js'

const bare = { spellings: [], writes: false } as const

/**
 * A promise about refusals that one of these codes leaves open: the smallest key is spent once more, by itself, and
 * nothing but the refusals and the time that they name is looked at.
 */
export const spentAgainAfter = (...codes: readonly string[]): PlayAgain => ({
  probe: 'while-refused',
  beside: spendingProbes,
  settings: ({ code }: Finding) => (codes.includes(code) ? bare : undefined),
  dearest: {},
})

/** The same where too little was told. */
export const spentAgain = spentAgainAfter('not-told')

/** The same for a promise about answers of every status, where it is refusals that are missing. */
export const spentAgainForRefusals: PlayAgain = {
  ...spentAgain,
  settings: ({ code, facts }: Finding) =>
    code === 'not-told' && Array.isArray(facts.missing) && facts.missing.includes('429') ? bare : undefined,
}
