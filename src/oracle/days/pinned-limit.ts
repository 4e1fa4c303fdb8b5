import type { History, QuotaWindow } from '../../readings/history.js'
import { explainAll, explainingModels } from '../models/explain.js'

/**
 * Whether a history that some model explains with a limit of 60 is explained by none with 59 or 61: only then does it
 * show that the limit is 60. A target that admits 61 may look like a correct one whose grid began a new window at just
 * the right moment.
 */
export const pinsLimit = (history: History, { limit, windowMs }: QuotaWindow): boolean =>
  [limit + 1, limit - 1]
    .filter((other) => other > 0)
    .every((other) => explainingModels(explainAll(history, { limit: other, windowMs })).length === 0)
