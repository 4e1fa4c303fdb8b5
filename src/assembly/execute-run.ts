import type { PreparedRun } from '../run/options/prepare-run.js'
import { playPrepared, type RunExecution } from '../run/play-prepared.js'
import { reportOf } from './build-report.js'

/** Plays a prepared run, judges it, and puts its report together. The journal is in `out` as the run goes. */
export const executeRun = async (prepared: PreparedRun, execution: RunExecution) => {
  const played = await playPrepared(prepared, execution)
  return { ...played, report: reportOf(played.evidence, played.crashes.length > 0) }
}
