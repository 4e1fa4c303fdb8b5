import { executeRun } from '../assembly/build-report.js'
import type { Report } from '../report/model.js'
import { writeReports } from '../report/write-files.js'
import { settleEarlierRun } from '../run/earlier-run.js'
import type { PreparedRun } from '../run/options/prepare-run.js'
import type { Progress } from '../run/playing/progress.js'
import { makeRoom, takeFolder, unwatched } from '../run/run-folder.js'
import type { RunEvent } from './options.js'

/** Plays the prepared run, in memory if there is no folder. */
export const execute = async (
  { prepared, interrupt, tell }: { prepared: PreparedRun; interrupt: AbortSignal; tell(event: RunEvent): void },
  out?: string,
): Promise<Report> => {
  // The library uses no agents, so there are no events about them; a load shows in the `sent` events.
  const watch = (event: Progress) => {
    if (event.kind !== 'agent' && event.kind !== 'load') tell(event)
  }
  const { report, crashes } = await executeRun(prepared, { out, interrupt, watch })
  for (const each of crashes) tell({ kind: 'defect', at: report.run.durationMs, ...each })
  return report
}

/** Plays the prepared run in a locked folder, and writes the reports there. */
export const executeIn = async (folder: string, followed: Parameters<typeof execute>[0]): Promise<Report> => {
  const { head, keys, safety } = followed.prepared
  const lock = await takeFolder('options.out', folder, 'run', unwatched)
  const say = (text: string) => followed.tell({ kind: 'note', at: 0, text })
  try {
    const { baseUrl, readOnly } = head
    await settleEarlierRun({ folder, baseUrl, keys, safety, signal: followed.interrupt, say, readOnly })
    makeRoom(folder, say)
    const report = await execute(followed, folder)
    writeReports(folder, report)
    return report
  } finally {
    lock.release()
  }
}
