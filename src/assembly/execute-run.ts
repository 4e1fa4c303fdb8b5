import type { PreparedRun } from '../run/options/prepare-run.js'
import { playPrepared, type RunExecution } from '../run/play-prepared.js'
import { reportOf } from './build-report.js'

/** Plays a prepared run, judges it, and builds its report. The journal is written to `out` during the run. */
export const executeRun = async (prepared: PreparedRun, execution: RunExecution) => {
  const played = await playPrepared(prepared, execution)
  return { ...played, report: reportOf(played.evidence, played.crashes.length > 0) }
}
