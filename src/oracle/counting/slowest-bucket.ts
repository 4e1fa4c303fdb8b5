/** How a bucket counts that refills as slowly as an honest one may. */
export interface SlowestBucket {
  /** What flows in, in requests a millisecond. */
  readonly perMs: number
  /** What a request takes out. */
  readonly each: number
}

/** What pacing limiters count in, as a share of a request: nginx keeps its rate and its excess in thousandths. */
const grain = 1e-3
/** Rates are said by the second or by the minute there: a rate of a longer window is none of theirs. */
const longestRateMs = 60_000
/** 100 per minute are 1.666... a second; 1 a second must not become 0.999 by a last digit. */
const roundingShare = 1e-9

/**
 * The slowest bucket that is still honest. Where the capacity is said apart from the limit the limiter paces, and those
 * that do round: nginx cuts its rate off to thousandths of a request a second, and what flowed in between two
 * admissions to thousandths of a request. 100 a minute, one at a time, are served every 601 ms, not every 600.
 */
export const slowestBucket = (quota: {
  readonly limit: number
  readonly windowMs: number
  readonly paced: boolean
}): SlowestBucket => {
  const { limit, windowMs, paced } = quota
  const perMs = limit / windowMs
  if (!paced) return { perMs, each: 1 }
  const inGrains = Math.floor(((perMs * 1000) / grain) * (1 + roundingShare))
  const cutOff = windowMs <= longestRateMs && inGrains > 0 ? (inGrains * grain) / 1000 : perMs
  return { perMs: Math.min(perMs, cutOff), each: 1 + grain }
}
