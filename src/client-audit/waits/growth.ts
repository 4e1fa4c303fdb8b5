import { medianOf } from '../../kit/numbers.js'
import { type AttemptWaits, comesAtOnce } from './waits.js'

/** If the last ratio is below this, waits do not grow exponentially. */
const leastLastRatio = 1.4
/** Growth by a factor has to fit better than growth by equal steps by this much chi-squared. */
const leastAdvantage = 3
/** Waits that miss a shape by this much each do not have it. */
const farOff = 4
/** The ranges of steps (as shares of the first wait) and factors to try, on a logarithmic grid. */
const steps = { least: 0.05, most: 20 }
const factors = { least: leastLastRatio, most: 8 }
const trials = 60

interface Point {
  readonly log: number
  readonly error: number
}

const meanNumber = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length

const varianceOf = (values: readonly number[]): number => {
  const mean = meanNumber(values)
  return values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, values.length - 1)
}

/** The longest wait is left out: it may be a process that stalled. */
const typicalOf = ({ waitsMs }: AttemptWaits): { readonly mean: number; readonly deviation: number } => {
  const kept = waitsMs.length > 2 ? waitsMs.slice(0, -1) : waitsMs
  const mean = Math.max(1, meanNumber(kept))
  return { mean, deviation: Math.sqrt(varianceOf(kept)) / mean }
}

/** A client jitters all its waits alike. For evenly spread waits, means are more precise than medians. */
const meansOf = (attempts: readonly AttemptWaits[]): readonly Point[] => {
  const all = attempts.map(typicalOf)
  const usual = medianOf(all.map(({ deviation }) => deviation).sort((a, b) => a - b))
  return all.map(({ mean, deviation }, at) => ({
    log: Math.log(mean),
    error: Math.max(0.01, usual, deviation) / Math.sqrt(attempts[at].waitsMs.length),
  }))
}

/** How badly a shape fits, whatever its first wait: chi-squared. */
const misfit = (means: readonly Point[], shape: (index: number) => number): number => {
  const rest = means.map(({ log }, index) => log - Math.log(shape(index)))
  const weights = means.map(({ error }) => error ** -2)
  const whole = weights.reduce((sum, each) => sum + each, 0)
  const offset = rest.reduce((sum, each, at) => sum + each * weights[at], 0) / whole
  return rest.reduce((sum, each, at) => sum + ((each - offset) / means[at].error) ** 2, 0)
}

const grid = ({ least, most }: { readonly least: number; readonly most: number }): readonly number[] =>
  Array.from({ length: trials }, (_, at) => least * (most / least) ** (at / (trials - 1)))

/** Whether waits that seem to grow by a factor may also grow by equal steps, hidden by jitter. */
const equalStepsMayBe = (attempts: readonly AttemptWaits[], cap: number): boolean => {
  const means = meansOf(attempts)
  const bySteps = [cap, attempts.length - 1].flatMap((last) =>
    grid(steps)
      .filter((step) => (1 + step * last) / (1 + step * (last - 1)) < leastLastRatio)
      .map((step) => misfit(means, (index) => 1 + step * Math.min(index, last))),
  )
  const byFactor = grid(factors).map((factor) => misfit(means, (index) => factor ** Math.min(index, cap)))
  const least = Math.min(...bySteps)
  return least < farOff * means.length && least < Math.min(...byFactor) + leastAdvantage
}

/** Waits within this share of each other count as equal: the client is at its cap. */
const stays = 0.1
/** A lower mean ratio up to the cap is no exponential growth. */
export const leastMeanRatio = 1.5
const fewestWaits = 3
/** With growth by one factor, the last ratio is near the mean ratio; with linear growth it is not. */
const steady = 0.9
/** Smaller delays do not count. */
const fewestLateMs = 10
/**
 * How far medians may be off, in standard errors. A pass is distinct from constant waits with 99.5 %; only its last ratio
 * may fall short by the `ordinary` error. A failure is beyond chance: it hit none of 16,000 simulated clients that double
 * their waits with full jitter, while 2.58 failed one in 4,000.
 */
const doubts = { ordinary: 1, proven: 2.58, beyondChance: 3.5 } as const
/** The error of a median of ten, times sqrt(n) over the deviation, for evenly spread waits; otherwise it is smaller. */
const medianError = 1.5

/** How a client's own waits grow, attempt by attempt. */
export type Growth =
  | { readonly kind: 'too-few'; readonly waits: number }
  | {
      readonly kind: 'grows' | 'stays' | 'unclear'
      readonly meanRatio: number
      readonly lastRatio: number
      /** Index of the first wait, after attempts that came at once. */
      readonly from: number
      /** Index of the first wait at the cap; null if none was reached. */
      readonly capAt: number | null
    }

/** A client jitters all its waits alike, so what all of them show bounds what one of them may have shown by chance. */
const pointsOf = (attempts: readonly AttemptWaits[]): readonly Point[] => {
  const variances = attempts.map(({ waitsMs }) => varianceOf(waitsMs.map((wait) => Math.log(Math.max(1, wait)))))
  const pooled = meanNumber(variances)
  return attempts.map(({ waitsMs, medianMs }, at) => ({
    log: Math.log(Math.max(1, medianMs)),
    error: (medianError * Math.sqrt(Math.max(pooled, variances[at]))) / Math.sqrt(waitsMs.length),
  }))
}

const errorBetween = (a: Point, b: Point): number => Math.hypot(a.error, b.error)

/** Whether the waits begin to stay: each later one is within a tenth of it, or can't be told from that. */
const isCap = (points: readonly Point[], from: number, doubt: number): boolean =>
  points
    .slice(from + 1)
    .every(
      (each) =>
        Math.abs(each.log - points[from].log) <=
        Math.max(Math.log(1 + stays), doubt * errorBetween(each, points[from])),
    )

const mostBetween = (a: Point, b: Point): number => b.log - a.log + doubts.beyondChance * errorBetween(a, b)

const meanOf = (points: readonly Point[]): Point => ({
  log: meanNumber(points.map(({ log }) => log)),
  error: Math.hypot(...points.map(({ error }) => error)) / points.length,
})

const ratiosUpTo = (points: readonly Point[], cap: number) => {
  const [first] = points
  const end = points[cap]
  const before = points[cap - 1]
  const whole = end.log - first.log
  const last = end.log - before.log
  const stayed = meanOf(points.slice(cap))
  return {
    cap,
    mean: Math.exp(whole / cap),
    last: Math.exp(last),
    // Whether the first wait and the one at the cap differ by more than jitter.
    isProven: whole > doubts.proven * errorBetween(first, end),
    // The highest last ratio within the ordinary error, and the highest ratios that jitter allows.
    usualLast: Math.exp(last + doubts.ordinary * errorBetween(before, end)),
    mostMean: Math.exp(mostBetween(first, stayed) / cap),
    mostLast: Math.exp(mostBetween(before, stayed)),
  }
}

const ratiosOf = (points: readonly Point[], doubt: number) =>
  points.flatMap((_, at) => (at > 0 && isCap(points, at, doubt) ? [ratiosUpTo(points, at)] : []))

/**
 * Whether waits grow exponentially: up to the cap, over at least three waits, the geometric mean of the ratios is at least
 * 1.5 and the last ratio at least 1.4. Medians decide. If the client's own jitter makes them uncertain, a result that may
 * be chance is unclear: neither a pass nor a failure.
 */
const growthAsSeen = (attempts: readonly AttemptWaits[]): Growth => {
  if (attempts.length < fewestWaits) return { kind: 'too-few', waits: attempts.length }
  const points = pointsOf(attempts)
  const found = ratiosOf(points, doubts.proven).find(
    ({ cap, mean, usualLast, isProven }) =>
      cap >= fewestWaits - 1 && mean >= leastMeanRatio && usualLast >= leastLastRatio && isProven,
  )
  const shown = found ?? ratiosUpTo(points, points.length - 1)
  const capAt = shown.cap < points.length - 1 ? shown.cap : null
  const facts = { meanRatio: shown.mean, lastRatio: shown.last, from: 0, capAt }
  if (found && !equalStepsMayBe(attempts, found.cap)) return { kind: 'grows', ...facts }
  if (found) return { kind: 'unclear', ...facts }
  return { kind: flat(points) || !mayGrow(points) ? 'stays' : 'unclear', ...facts }
}

const mayGrow = (points: readonly Point[]): boolean =>
  clippedAtLast(points) ||
  ratiosOf(points, doubts.beyondChance).some(
    ({ cap, mostMean, mostLast }) =>
      // Growing once and then staying at the cap is too short to tell exponential growth from anything else.
      mostMean >= leastMeanRatio && (cap < fewestWaits - 1 || mostLast >= leastLastRatio),
  )

/** Steady growth, and then a shorter step: a cap may have clipped it, but one wait does not show that. */
const clippedAtLast = (points: readonly Point[]): boolean => {
  const beforeLast = points.length - 2
  if (beforeLast < fewestWaits - 1 || points[beforeLast + 1].log < points[beforeLast].log) return false
  const { mostMean, mostLast } = ratiosUpTo(points.slice(0, -1), beforeLast)
  return mostMean >= leastMeanRatio && mostLast >= leastLastRatio && mostLast >= mostMean * steady
}

/** The same; unclear if waits may only seem constant because the machine made each longer by `lateMs`. */
const growthBeyondNoise = (attempts: readonly AttemptWaits[], lateMs: number): Growth => {
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

const growthFrom = (attempts: readonly AttemptWaits[], from: number, lateMs: number): Growth => {
  const growth = growthBeyondNoise(attempts.slice(from), lateMs)
  if (growth.kind === 'too-few') return growth
  return { ...growth, from, capAt: growth.capAt === null ? null : growth.capAt + from }
}

/**
 * Whether waits grow exponentially, from the first one on: the step from an immediate attempt to a wait is no growth. If the
 * machine may have turned such an attempt into a wait, and it matters, it is unclear. An immediate attempt after a wait
 * counts as a shorter wait.
 */
export const growthOf = (attempts: readonly AttemptWaits[], lateMs: number): Growth => {
  const states = [...attempts.map((each) => comesAtOnce(each, lateMs)), 'no']
  const seen = growthFrom(
    attempts,
    states.findIndex((each) => each !== 'yes'),
    lateMs,
  )
  const without = growthFrom(attempts, states.indexOf('no'), lateMs)
  return seen.kind === 'too-few' || seen.kind === without.kind ? seen : { ...seen, kind: 'unclear' }
}
