import type { Report } from '../report/model.js'
import type { PreparedRun } from '../run/options/prepare-run.js'
import { playPrepared, type RunExecution } from '../run/play-prepared.js'
import type { PlayedRun } from '../run/playing/play.js'
import { reportOf } from './build-report.js'

/** A run that was played, with its report. */
export interface ExecutedRun extends PlayedRun {
  readonly report: Report
}

/** Plays a prepared run, judges it, and puts its report together. The journal is in `out` as the run goes. */
export const executeRun = async (prepared: PreparedRun, execution: RunExecution): Promise<ExecutedRun> => {
  const played = await playPrepared(prepared, execution)
  return { ...played, report: reportOf(played.evidence, played.crashes.length > 0) }
}
