import type { Finding } from '../verdict/verdict.js'
import type { PlayAgain } from './check.js'

/**
 * A promise about refusals of which too little was told: the smallest key is spent once more, by itself, and nothing but
 * the refusals and the time that they name is looked at.
 */
export const spentAgain: PlayAgain = {
  probe: 'while-refused',
  settings: ({ code }: Finding) => (code === 'not-told' ? { spellings: [], writes: false } : undefined),
  dearest: {},
}
