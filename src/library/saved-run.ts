import { buildReport } from '../assembly/build-report.js'
import type { Evidence } from '../evidence/evidence.js'
import type { Report } from '../report/model.js'
import { savedEvidence } from '../run/folder/saved-run.js'
import { judge as judgeEvidence } from '../run/judging/judge.js'
import { toolVersion } from '../run/machine/package-root.js'

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
export const judge = ({ evidence }: Pick<SavedRun, 'evidence'>): Report =>
  buildReport(evidence, judgeEvidence(evidence), { version: toolVersion, crashed: false })
