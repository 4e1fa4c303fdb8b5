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
    /** Whether the run sends them only if the evidence so far could not show every breach. */
    readonly ifUntold?: boolean
  }[]
  /** How many windows pass on each key during the run. */
  readonly windows: readonly { readonly key: string; readonly minutes: number }[]
  readonly durationMs: number
  /** How much longer it takes at most if probes are repeated. */
  readonly againMs: number
}

/**
 * Works out what {@link run} would send with the same options. Sends nothing.
 *
 * @throws UsageError if an option, or a file that it names, is unusable.
 */
export const plan = async (options: PlanOptions): Promise<Plan> => {
  const { head, plan: planned } = await prepare(options)
  return { scenario: head.scenario, target: head.baseUrl, ...planned }
}

/**
 * Plays a scenario against a target and judges it. The report has the target's breaches; its `run.exitCode` is the exit
 * code of the command. A target that cannot be reached is not an error, but inconclusive.
 *
 * Prints nothing, reads no environment variables, and never ends the process: the caller handles Ctrl-C, and passes it on
 * as a `signal`.
 *
 * @throws UsageError if an option, or a file that it names, is unusable; then nothing was sent.
 */
export const run = async (options: RunOptions): Promise<Report> => {
  const { signal, onEvent, ...wanted } = options
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new UsageError('options.signal must be an AbortSignal')
  if (onEvent !== undefined && typeof onEvent !== 'function') throw new UsageError('options.onEvent must be a function')
  const prepared = await prepare(wanted)
  const stop = new AbortController()
  const thrown: unknown[] = []
  const tell = (event: RunEvent) => {
    try {
      onEvent?.(event)
    } catch (error) {
      // The caller's handler is not part of the run: its error ends the run in an orderly way.
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

/** A saved run. */
export interface SavedRun {
  /** Everything that the run recorded about its target. */
  readonly evidence: Evidence
  /** What could not be read, in sentences: usually the last line of a killed run. */
  readonly unreadable: readonly string[]
}

/**
 * Reads a saved run from its folder.
 *
 * @throws UsageError if the folder contains no run.
 */
export const readRun = (folder: string): SavedRun => {
  const unreadable: string[] = []
  const evidence = savedEvidence(folder, (text) => unreadable.push(text))
  return { evidence, unreadable }
}

/** Judges a saved run again, offline: the same evidence gives the same verdicts. Writes nothing. */
export const judge = ({ evidence }: Pick<SavedRun, 'evidence'>): Report => reportOf(evidence)
