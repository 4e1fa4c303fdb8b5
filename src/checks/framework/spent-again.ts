import type { Finding } from '../../verdict/verdict.js'
import type { PlayAgain } from './check.js'
import { spendingProbes } from './needs.js'

/** Settings that test only the refusals and the wait that they name. */
export const bareSpending = { spellings: [], writes: false, moments: ['wait'] } as const
/** The most that any check asks for. */
export const dearestSpending = { moments: ['wait', 'reset'] } as const

/**
 * For a promise about refusals that is left open with one of these codes: spends the smallest key once more, by itself,
 * and tests only the refusals and the wait that they name.
 */
export const spentAgainAfter = (...codes: readonly string[]): PlayAgain => ({
  probe: 'while-refused',
  beside: spendingProbes,
  settings: ({ code }: Finding) => (codes.includes(code) ? bareSpending : undefined),
  dearest: dearestSpending,
})

/** The same if there was too little evidence. */
export const spentAgain = spentAgainAfter('not-told')

/** The same for a promise about answers of every status, if refusals are missing. */
export const spentAgainForRefusals: PlayAgain = {
  ...spentAgain,
  settings: ({ code, facts }: Finding) =>
    code === 'not-told' && Array.isArray(facts.missing) && facts.missing.includes('429') ? bareSpending : undefined,
}
