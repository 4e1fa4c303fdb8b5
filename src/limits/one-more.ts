import type { History, QuotaWindow } from './history.js'
import { explainAll, explainingModels } from './models.js'

/**
 * Whether a history that keeps a limit could have shown one admission too many: whether it would break a limit that is
 * lower by one. Where a model explains it with that limit too, one more in each window would have been explained as well.
 */
export const tellsOneMore = (history: History, { limit, windowMs }: QuotaWindow): boolean =>
  limit <= 1 || explainingModels(explainAll(history, { limit: limit - 1, windowMs })).length === 0
