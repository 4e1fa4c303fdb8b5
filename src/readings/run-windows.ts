import { windowMs } from '../contract/plans.js'
import type { Evidence } from '../evidence/evidence.js'

/** How long the two windows are that the keys of a run are judged by, in milliseconds. */
export interface RunWindows {
  readonly minuteMs: number
  readonly dayMs: number
}

/** The windows of the run's own contract, at its time scale; those of one quota where the evidence is a view of it. */
export const windowsOf = ({ run, view }: Pick<Evidence, 'run' | 'view'>): RunWindows =>
  view ?? { minuteMs: windowMs('minute', run.timeScale), dayMs: windowMs('day', run.timeScale) }
