import type { AttemptWaits } from './waits.js'

/** Waits within so much of each other stay: the client is at its cap. */
const stays = 0.1
const leastMeanRatio = 1.5
const leastLastRatio = 1.4
const fewestWaits = 3
/** Waits that grow by one factor have a last ratio near the mean one; those that grow linearly have not. */
const steady = 0.9
/** Less does not count. */
const fewestLateMs = 10
/** How far, in standard errors, a median may be off before it counts (one-sided, 99.5 %). */
const doubt = 2.58
/** A median of n is off by 1.25 standard deviations over the root of n. */
const medianError = 1.25

/** What a client's own waits, attempt by attempt, come to. */
export type Growth =
  | { readonly kind: 'too-few'; readonly waits: number }
  | {
      readonly kind: 'grows' | 'stays' | 'unclear'
      readonly meanRatio: number
      readonly lastRatio: number
      /** Index of the first wait at the cap; null where none was reached. */
      readonly capAt: number | null
    }

interface Point {
  /** The logarithm of the median. */
  readonly log: number
  /** Its standard error. */
  readonly error: number
}

const varianceOf = (logs: readonly number[]): number => {
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length
  return logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, logs.length - 1)
}

/** A client jitters all its waits alike, so what all of them show bounds what one of them may have shown by chance. */
const pointsOf = (attempts: readonly AttemptWaits[]): readonly Point[] => {
  const variances = attempts.map(({ waitsMs }) => varianceOf(waitsMs.map((wait) => Math.log(Math.max(1, wait)))))
  const pooled = variances.reduce((sum, each) => sum + each, 0) / variances.length
  return attempts.map(({ waitsMs, medianMs }, at) => ({
    log: Math.log(Math.max(1, medianMs)),
    error: (medianError * Math.sqrt(Math.max(pooled, variances[at]))) / Math.sqrt(waitsMs.length),
  }))
}

const noise = (a: Point, b: Point): number => doubt * Math.hypot(a.error, b.error)

/** Where the waits begin to stay: each later one is within a tenth of it, or can't be told from that. */
const capOf = (points: readonly Point[], from: number): boolean =>
  points
    .slice(from + 1)
    .every((each) => Math.abs(each.log - points[from].log) <= Math.max(Math.log(1 + stays), noise(each, points[from])))

interface Ratios {
  readonly mean: number
  readonly last: number
  /** The most that they may be, jitter allowed for. */
  readonly mostMean: number
  readonly mostLast: number
}

const ratiosUpTo = (points: readonly Point[], cap: number): Ratios => {
  const [first] = points
  const end = points[cap]
  const before = points[cap - 1]
  const mean = (end.log - first.log) / cap
  const last = end.log - before.log
  return {
    mean: Math.exp(mean),
    last: Math.exp(last),
    mostMean: Math.exp(mean + noise(first, end) / cap),
    mostLast: Math.exp(last + noise(before, end)),
  }
}

/**
 * Whether waits grow exponentially: up to the cap, over at least three waits, the geometric mean of the ratios is at
 * least 1.5 and the last ratio at least 1.4. Medians decide. Where the client's own jitter makes them uncertain, the
 * last ratio may fall short by as much as chance explains, and what only chance could lift is unclear, never a failure.
 */
const growthAsSeen = (attempts: readonly AttemptWaits[]): Growth => {
  if (attempts.length < fewestWaits) return { kind: 'too-few', waits: attempts.length }
  const points = pointsOf(attempts)
  const last = points.length - 1
  const caps = points.map((_, at) => at).filter((at) => at > 0 && capOf(points, at))
  const told = caps.map((cap) => ({ cap, ...ratiosUpTo(points, cap) }))
  const found = told.find(
    ({ cap, mean, mostLast }) => cap >= fewestWaits - 1 && mean >= leastMeanRatio && mostLast >= leastLastRatio,
  )
  const shown = found ?? told[told.length - 1]
  const facts = {
    meanRatio: shown.mean,
    lastRatio: shown.last,
    capAt: shown.cap < last ? shown.cap : null,
  }
  if (found) return { kind: 'grows', ...facts }
  if (flat(points)) return { kind: 'stays', ...facts }
  // Grown once and then at the cap is too short a way to tell an exponential from anything else.
  const soon = told.some(({ cap, mostMean }) => cap < fewestWaits - 1 && mostMean >= leastMeanRatio)
  const possible = told.some(({ mostMean, mostLast }) => mostMean >= leastMeanRatio && mostLast >= leastLastRatio)
  return { kind: soon || possible || clippedAtLast(points) ? 'unclear' : 'stays', ...facts }
}

/**
 * Steady growth up to the last wait but one, and then a shorter step: a cap may have clipped it, and one wait does not
 * show that it would stay.
 */
const clippedAtLast = (points: readonly Point[]): boolean => {
  const beforeLast = points.length - 2
  if (beforeLast < fewestWaits - 1 || points[beforeLast + 1].log < points[beforeLast].log) return false
  const { mostMean, mostLast } = ratiosUpTo(points, beforeLast)
  return mostMean >= leastMeanRatio && mostLast >= leastLastRatio && mostLast >= mostMean * steady
}

/** The same; where it may only seem not to grow, as the machine made each wait longer by `lateMs`, it is unclear. */
export const growthOf = (attempts: readonly AttemptWaits[], lateMs: number): Growth => {
  const seen = growthAsSeen(attempts)
  if (seen.kind !== 'stays' || lateMs < fewestLateMs) return seen
  const shorter = attempts.map(({ waitsMs, medianMs }) => ({
    waitsMs: waitsMs.map((wait) => Math.max(1, wait - lateMs)),
    medianMs: Math.max(1, medianMs - lateMs),
  }))
  return growthAsSeen(shorter).kind === 'stays' ? seen : { ...seen, kind: 'unclear' }
}

/** All within a tenth of the first, whatever the jitter: not even a beginning. */
const flat = (points: readonly Point[]): boolean =>
  points.every((each) => Math.abs(each.log - points[0].log) <= Math.log(1 + stays) && each.error < 0.05)
