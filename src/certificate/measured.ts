import { bucketModels, type ModelName } from '../contract/limiter-models.js'
import type { QuotaWindow } from '../contract/plans.js'
import { placesOf } from '../kit/numbers.js'
import { onceFor } from '../kit/once-for.js'
import { fits } from '../oracle/models/explain.js'
import { isExact } from '../oracle/models/explanation.js'
import { type History, outcomes } from '../readings/history.js'
import { mostWithin, passageOf } from '../readings/passage.js'

/** The lowest and the highest value that explains what was seen; null if a bound was not measured, or lies beyond what is tried. */
export type Range = readonly [number | null, number | null]

/** How many limits below and above are tried, one by one. */
const mostLimits = 5
/** Windows are tried up to this share too short or too long, in steps of the second share. */
const [mostWindowShare, windowStep] = [0.1, 0.005]

const fitting = onceFor((_: History) => new Map<string, boolean>())

/** Whether some limiter with this quota explains what was seen: defects and ranges ask for the same ones. */
export const quotaFits = (history: History, quota: QuotaWindow, likeliest?: ModelName): boolean => {
  const id = `${quota.limit} ${quota.windowMs} ${quota.burst}`
  const found = fitting(history).get(id) ?? fits(history, quota, likeliest)
  fitting(history).set(id, found)
  return found
}

/** The last of some successive values that explains a history; null if all do. */
const lastExplaining = (values: readonly number[], first: number, explains: (value: number) => boolean) => {
  let last = first
  for (const value of values) {
    if (!explains(value)) return last
    last = value
  }
  return null
}

/**
 * The adjacent limits that explain what was seen: `[60, 60]` if 59 and 61 do not; `[60, null]` if all of the next five above
 * do too. Of a limit with a tolerance nothing is measured: 38 in one window and 42 in the next keep 40 ± 10 %.
 */
export const limitRange = (history: History, window: QuotaWindow): Range => {
  if (!isExact(window)) return [null, null]
  const { limit, burst = limit } = window
  const explains = (held: number) =>
    quotaFits(history, window.burst === undefined ? { ...window, limit: held } : { ...window, burst: held })
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

/** The window lengths around the promised one that explain what was seen, in milliseconds. */
export const windowRange = (history: History, window: QuotaWindow): Range => {
  const { windowMs } = window
  const shares = Array.from({ length: Math.round(mostWindowShare / windowStep) }, (_, i) => (i + 1) * windowStep)
  const explains = (share: number) => quotaFits(history, { ...window, windowMs: windowMs * (1 + share) })
  const bound = (sign: number): number | null => {
    const share = lastExplaining(shares, 0, (each) => explains(sign * each))
    // The bound lies between the last length that explains and the first that does not; the latter is reported.
    return share === null ? null : Math.round(windowMs * (1 + sign * (share + windowStep)))
  }
  return [bound(-1), bound(1)]
}

/** Each span is a tenth of a power of ten longer than the one before. */
const spansInTen = 10
const shortestMs = 1

/** The most that a limiter of a model admits within a span, wherever the span lies. */
const allowedBy = (model: ModelName, spanMs: number, { limit, windowMs, burst = limit }: QuotaWindow): number => {
  const windows = spanMs / windowMs
  if (bucketModels.includes(model)) return Math.floor(burst + windows * limit + 1e-6)
  if (model === 'sliding-log') return limit * Math.ceil(windows)
  // A window may end within the span, wherever it is.
  return limit * (Math.floor(windows) + 2)
}

/**
 * The arrival curve: for each span length, the most that was certainly admitted within it, by requests sent and answered in
 * it; two pointers over the admissions for each, O(n log n) in all. One picture shows a hidden sub-window ("300 a minute is
 * really 50 in 10 s" stays flat at 50 up to 10 s), a bucket's depth and rate, and a double burst where two windows meet.
 *
 * @param models the limiters that explain the history: the most generous one sets what is allowed.
 */
export const envelope = (history: History, window: QuotaWindow, models: readonly ModelName[]) => {
  const admitted = placesOf(history.size, (i) => history.outcome[i] === outcomes.admitted)
  if (admitted.length === 0 || models.length === 0) return []
  const passage = passageOf(history, admitted)
  const { sent, received } = passage
  const longestMs = Math.max(2 * window.windowMs, received[received.length - 1] - sent[0])
  const count = Math.ceil(spansInTen * Math.log10(longestMs / shortestMs)) + 1
  return Array.from({ length: count }, (_, step) => {
    const spanMs = shortestMs * 10 ** (step / spansInTen)
    const allowed = Math.max(...models.map((model) => allowedBy(model, spanMs, window)))
    return { spanMs, admitted: mostWithin(passage, spanMs), allowed }
  })
}
