import { reportOf } from '../assembly/build-report.js'
import type { Evidence } from '../evidence/evidence.js'
import { UsageError } from '../kit/usage-error.js'
import type { Report } from '../report/model.js'
import { savedEvidence } from '../run/run-folder.js'
import { execute, executeIn } from './execute.js'
import { prepare } from './given-options.js'
import type { PlanOptions, RunEvent, RunOptions } from './options.js'

/** What a run would send, and how long it takes. */
export interface Plan {
  readonly scenario: string
  readonly target: string
  /** The most requests of each probe on each key. */
  readonly requests: readonly {
    readonly key: string
    readonly probe: string
    readonly requests: number
    /** Whether they are sent only where what was seen could not have shown every breach. */
    readonly ifUntold?: boolean
  }[]
  /** How many of its windows pass on each key meanwhile. */
  readonly windows: readonly { readonly key: string; readonly minutes: number }[]
  readonly durationMs: number
  /** How much longer it takes at most, where probes are played once more. */
  readonly againMs: number
}

/**
 * Works out what {@link run} would send with the same options. Sends nothing.
 *
 * @throws UsageError where an option, or a file that one names, can't be used.
 */
export const plan = async (options: PlanOptions): Promise<Plan> => {
  const { head, plan: planned } = await prepare(options)
  return { scenario: head.scenario, target: head.baseUrl, ...planned }
}

/**
 * Plays a scenario against a target and judges it. What the target does wrong is in the report, whose `run.exitCode` is
 * what the command would have ended with; a target that can't be reached is no error either, but inconclusive.
 *
 * Nothing is printed, no variable of the environment is read, and the process is left alone: Ctrl-C is for the caller to
 * hear, and to hand on as a `signal`.
 *
 * @throws UsageError where an option, or a file that one names, can't be used; nothing was sent then.
 */
export const run = async (options: RunOptions): Promise<Report> => {
  const { signal, onEvent, ...wanted } = options
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new UsageError('options.signal has to be an AbortSignal')
  if (onEvent !== undefined && typeof onEvent !== 'function')
    throw new UsageError('options.onEvent has to be a function')
  const prepared = await prepare(wanted)
  const stop = new AbortController()
  const thrown: unknown[] = []
  const tell = (event: RunEvent) => {
    try {
      onEvent?.(event)
    } catch (error) {
      // Whoever follows the run is no part of it: his error ends it in order.
      thrown.push(error)
      stop.abort(error)
    }
  }
  const interrupt = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])])
  const followed = { prepared, interrupt, tell }
  const report = wanted.out === undefined ? await execute(followed) : await executeIn(wanted.out, followed)
  if (thrown.length > 0) throw thrown[0]
  return report
}

/** What a run left in its folder. */
export interface SavedRun {
  /** Everything that the run knows of its target. */
  readonly evidence: Evidence
  /** What of it could not be read, in sentences: the last line of a run that was killed, as a rule. */
  readonly unreadable: readonly string[]
}

/**
 * Reads the run that was written to a folder.
 *
 * @throws UsageError where the folder holds none.
 */
export const readRun = (folder: string): SavedRun => {
  const unreadable: string[] = []
  const evidence = savedEvidence(folder, (text) => unreadable.push(text))
  return { evidence, unreadable }
}

/** Judges a saved run again, offline: the same evidence gives the same verdicts. Writes nothing. */
export const judge = ({ evidence }: Pick<SavedRun, 'evidence'>): Report => reportOf(evidence)
