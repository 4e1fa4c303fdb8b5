import type { Variation } from '../faults/fault.js'
import { answerVariations, refusalVariations } from './answers.js'
import { limitVariations } from './limits.js'
import { dateVariations, meteringVariations } from './moments.js'
import { codingVariations, transportVariations } from './transport.js'

/** All conforming variations. */
export const variations: readonly Variation[] = [
  ...limitVariations,
  ...refusalVariations,
  ...answerVariations,
  ...transportVariations,
  ...codingVariations,
  ...dateVariations,
  ...meteringVariations,
]
