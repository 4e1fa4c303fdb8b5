import { type ModelName, modelNames } from '../../contract/limiter-models.js'
import type { QuotaWindow } from '../../readings/history.js'

/** Limiters whose capacity and rate are two numbers; in the others one limit is both. */
const buckets: readonly ModelName[] = ['token-bucket', 'gcra']

/**
 * The limiters that a quota admits, in the order of {@link modelNames}: those that its contract names, of them only
 * buckets where it says what they hold. Throws where that leaves none, which no contract may say.
 */
export const admissibleModels = ({ models: named = modelNames, burst }: QuotaWindow): readonly ModelName[] => {
  const fitting = burst === undefined ? modelNames : buckets
  const admissible = modelNames.filter((name) => named.includes(name) && fitting.includes(name))
  if (admissible.length === 0) throw new Error('a quota has to admit some limiter, and a bucket where it has a burst')
  return admissible
}
