import type { QuotaWindow } from '../contract/plans.js'
import { fits } from '../oracle/models/explain.js'
import type { History } from '../readings/history.js'

/** The least and the most that explains what was seen; null where a bound was not found within what is tried. */
export type Range = readonly [number | null, number | null]

/** So many limits below and above are tried, one by one. */
const mostLimits = 5
/** Windows are tried until they are so much too short or too long, in steps of this share. */
const [mostWindowShare, windowStep] = [0.1, 0.005]

/** The last of some values in a row that explain a history; null where all do. */
const lastExplaining = (values: readonly number[], first: number, explains: (value: number) => boolean) => {
  let last = first
  for (const value of values) {
    if (!explains(value)) return last
    last = value
  }
  return null
}

/**
 * The limits next to each other that explain what was seen: `[60, 60]` where 59 and 61 do not; `[60, null]` where each
 * of the next five above does as well.
 */
export const limitRange = (history: History, window: QuotaWindow): Range => {
  const { limit, burst = limit } = window
  const explains = (held: number) =>
    fits(history, window.burst === undefined ? { ...window, limit: held } : { ...window, burst: held })
  const steps = Array.from({ length: mostLimits }, (_, i) => i + 1)
  const below = steps.map((step) => burst - step).filter((held) => held > 0)
  return [
    below.length === 0 ? burst : lastExplaining(below, burst, explains),
    lastExplaining(
      steps.map((step) => burst + step),
      burst,
      explains,
    ),
  ]
}

/** The lengths of a window, next to what is promised, that explain what was seen, in milliseconds. */
export const windowRange = (history: History, window: QuotaWindow): Range => {
  const { windowMs } = window
  const shares = Array.from({ length: Math.round(mostWindowShare / windowStep) }, (_, i) => (i + 1) * windowStep)
  const explains = (share: number) => fits(history, { ...window, windowMs: windowMs * (1 + share) })
  const bound = (sign: number): number | null => {
    const share = lastExplaining(shares, 0, (each) => explains(sign * each))
    // The bound lies between the last that explains and the first that does not: the latter is told.
    return share === null ? null : Math.round(windowMs * (1 + sign * (share + windowStep)))
  }
  return [bound(-1), bound(1)]
}
