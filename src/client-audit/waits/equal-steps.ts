import { medianOf } from '../../kit/median.js'
import type { AttemptWaits } from './waits.js'

/** Below this at last, waits do not grow exponentially. */
const leastLastRatio = 1.4
/** Growth by a factor has to fit so much better, in units of chi-squared, than growth by equal steps. */
const leastAdvantage = 3
/** What is so far from a shape, for each wait, has not that shape. */
const farOff = 4
/** Steps are tried as shares of the first wait, and factors, each from its least to its most on a logarithmic grid. */
const steps = { least: 0.05, most: 20 }
const factors = { least: leastLastRatio, most: 8 }
const trials = 60

interface Mean {
  readonly log: number
  /** Its standard error. */
  readonly error: number
}

/** The longest wait is left out: it may be a process that stalled. */
const meanOf = ({ waitsMs }: AttemptWaits): { readonly mean: number; readonly deviation: number } => {
  const kept = waitsMs.length > 2 ? waitsMs.slice(0, -1) : waitsMs
  const mean = kept.reduce((sum, each) => sum + each, 0) / kept.length
  const variance = kept.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, kept.length - 1)
  return { mean: Math.max(1, mean), deviation: Math.sqrt(variance) / Math.max(1, mean) }
}

/** A client jitters all its waits alike. Means tell more than medians do, where waits are spread evenly. */
const meansOf = (attempts: readonly AttemptWaits[]): readonly Mean[] => {
  const all = attempts.map(meanOf)
  const usual = medianOf(all.map(({ deviation }) => deviation).sort((a, b) => a - b))
  return all.map(({ mean, deviation }, at) => ({
    log: Math.log(mean),
    error: Math.max(0.01, usual, deviation) / Math.sqrt(attempts[at].waitsMs.length),
  }))
}

/** How badly a shape fits, whatever its first wait: chi-squared. */
const misfit = (means: readonly Mean[], shape: (index: number) => number): number => {
  const rest = means.map(({ log }, index) => log - Math.log(shape(index)))
  const weights = means.map(({ error }) => error ** -2)
  const whole = weights.reduce((sum, each) => sum + each, 0)
  const offset = rest.reduce((sum, each, at) => sum + each * weights[at], 0) / whole
  return rest.reduce((sum, each, at) => sum + ((each - offset) / means[at].error) ** 2, 0)
}

const grid = ({ least, most }: { readonly least: number; readonly most: number }): readonly number[] =>
  Array.from({ length: trials }, (_, at) => least * (most / least) ** (at / (trials - 1)))

/**
 * Whether waits that seem to grow by a factor, up to the cap at that index, may as well grow by equal steps, the last of
 * which is less than that, up to there or all the way: their jitter then hides the difference.
 */
export const equalStepsMayBe = (attempts: readonly AttemptWaits[], cap: number): boolean => {
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
