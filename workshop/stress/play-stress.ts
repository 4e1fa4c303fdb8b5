import { availableParallelism } from 'node:os'
import { openTrialPool } from '../../src/cli/keystone/trial-pool.js'
import { daysEarly, type PlannedTrial, scaleOf, trialsOf } from '../../src/cli/keystone/trials.js'
import { sideBySide } from '../../src/kit/side-by-side.js'
import { builtFile } from '../../src/run/package.js'
import { isExactAndDiagnosed } from '../keystone/expected-diagnosis.js'
import { type ConditionName, conditions, type StressTrial } from './conditions.js'
import { type Crowd, gatherCrowd } from './crowd.js'
import { decisive, isFalse, outcomeOf } from './outcome.js'
import type { StressResult } from './results.js'

/** The nth of several parts of the matrix. */
export interface Part {
  readonly nth: number
  readonly of: number
}

export interface StressOptions {
  readonly under: readonly ConditionName[]
  /** Ids of faults and variations; none plays all. */
  readonly ids: readonly string[]
  readonly part: Part
  readonly seed: number
  readonly timeScale: number
  /** Trials in parallel, if not the condition's own number. */
  readonly atOnce?: number
  readonly build: string
  readonly commit: string | null
  /** Results that need not be played again. */
  readonly earlier: readonly StressResult[]
  /** Called with each play as soon as it is over. */
  readonly note: (result: StressResult) => void
  /** Called with the ids of the busy processes. */
  readonly noteCrowd: (pids: Crowd['pids']) => void
}

/** Whether to play a trial again, alone: it broke down, or too many trials disturbed a quiet machine. */
const deserveAnother = (condition: ConditionName, result: StressResult): boolean => {
  const outcome = outcomeOf(result)
  if (isFalse(outcome) || outcome === 'exact') return false
  return condition === 'quiet' || outcome === 'broke-down'
}

const isDone = ({ earlier }: StressOptions, condition: ConditionName, id: string): boolean => {
  const plays = earlier.filter((play) => play.condition === condition && play.id === id)
  const last = decisive(plays)
  return last !== undefined && !(plays.length === 1 && deserveAnother(condition, last))
}

/** The trials left to play under a condition. */
export const trialsLeft = (options: StressOptions, condition: ConditionName): PlannedTrial[] =>
  trialsOf(undefined, options.ids)
    .filter((_, at) => at % options.part.of === options.part.nth - 1)
    .filter(({ id }) => !isDone(options, condition, id))

const playCondition = async (options: StressOptions, condition: ConditionName): Promise<void> => {
  const { seed, timeScale, build, commit, note } = options
  const trials = trialsLeft(options, condition)
  if (trials.length === 0) return
  const { front, isCrowded, atOnce: usual } = conditions[condition]
  const atOnce = options.atOnce ?? usual
  const crowd = isCrowded ? gatherCrowd() : undefined
  if (crowd) options.noteCrowd(crowd.pids)
  const pool = openTrialPool<StressTrial>(builtFile('workshop', 'stress', 'front-worker.js'))
  const play = async (planned: PlannedTrial): Promise<StressResult> => {
    const { server, enterprise, kind, id, scenario, expected } = planned
    const startedAt = performance.now()
    const trial = { server, enterprise, scenario, timeScale: scaleOf(scenario, timeScale), seed, front }
    const { failing, open, passing, diagnosed, exitCode } = await pool.play(trial)
    crowd?.requireWhole()
    const exact = isExactAndDiagnosed(planned, { failing, open, diagnosed, exitCode })
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const head = { condition, kind, id, seed, timeScale, build, commit, expected: [...expected] }
    const result = { ...head, failing: [...failing], open: [...open], passing: [...passing], exact, exitCode, seconds }
    note(result)
    return result
  }
  try {
    const results = await sideBySide(daysEarly(trials, atOnce), atOnce, play)
    const again = new Set(results.filter((result) => deserveAnother(condition, result)).map(({ id }) => id))
    await sideBySide(
      trials.filter(({ id }) => again.has(id)),
      availableParallelism(),
      play,
    )
  } finally {
    await pool.close()
    await crowd?.disperse()
  }
}

/** Plays what is left of the matrix, one condition after the other. */
export const playStress = async (options: StressOptions): Promise<void> => {
  for (const condition of options.under) await playCondition(options, condition)
}
