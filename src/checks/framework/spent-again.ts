import type { Finding } from '../../verdict/verdict.js'
import type { PlayAgain } from './check.js'
import { spendingProbes } from './needs.js'

/** Nothing but refusals and the time that they name. */
export const bareSpending = { spellings: [], writes: false, moments: ['wait'] } as const
/** The most that any check asks for. */
export const dearestSpending = { moments: ['wait', 'reset'] } as const

/**
 * A promise about refusals that one of these codes leaves open: the smallest key is spent once more, by itself, and
 * nothing but the refusals and the time that they name is looked at.
 */
export const spentAgainAfter = (...codes: readonly string[]): PlayAgain => ({
  probe: 'while-refused',
  beside: spendingProbes,
  settings: ({ code }: Finding) => (codes.includes(code) ? bareSpending : undefined),
  dearest: dearestSpending,
})

/** The same where too little was told. */
export const spentAgain = spentAgainAfter('not-told')

/** The same for a promise about answers of every status, where it is refusals that are missing. */
export const spentAgainForRefusals: PlayAgain = {
  ...spentAgain,
  settings: ({ code, facts }: Finding) =>
    code === 'not-told' && Array.isArray(facts.missing) && facts.missing.includes('429') ? bareSpending : undefined,
}

/** The same for what Reset promises: nothing is asked from the first refusal to the moment that it names. */
export const spentAgainInSilence: PlayAgain = {
  ...spentAgain,
  settings: ({ code }: Finding) =>
    code === 'not-told' || code === 'defect-may-hide' ? { ...bareSpending, moments: ['reset'] } : undefined,
}
