import { answerVariations } from './answers.js'
import { codingVariations } from './codings.js'
import { dateVariations } from './dates.js'
import { limitVariations } from './limits.js'
import { meteringVariations } from './meterings.js'
import { refusalVariations } from './refusals.js'
import { transportVariations } from './transport.js'
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
