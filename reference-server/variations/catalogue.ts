import { answerVariations } from './answers.js'
import { limitVariations } from './limits.js'
import { dateVariations, meteringVariations } from './moments.js'
import { refusalVariations } from './refusals.js'
import { codingVariations, transportVariations } from './transport.js'
import type { Variation } from './variation.js'

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
