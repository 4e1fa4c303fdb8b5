import type { History, QuotaWindow } from '../history.js'
import { explainAll, explainingModels } from '../models/explain.js'

/**
 * Whether a history that some model explains tells its limit from the two beside it: none explains it with one more or with
 * one less. A target that admits one too many may look like an honest one whose grid began anew at just the right moment;
 * then its true limit explains the history as well, and nothing is told.
 */
export const pinsLimit = (history: History, { limit, windowMs }: QuotaWindow): boolean =>
  [limit + 1, limit - 1]
    .filter((other) => other > 0)
    .every((other) => explainingModels(explainAll(history, { limit: other, windowMs })).length === 0)
