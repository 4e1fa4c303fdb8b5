import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { buildReport } from '../../assembly/build-report.js'
import type { Report } from '../../report/model.js'
import { firstLine } from '../../run/folder/keep-earlier.js'
import { savedEvidence } from '../../run/folder/saved-run.js'
import { judge } from '../../run/judging/judge.js'
import { toolVersion } from '../../run/package.js'
import { readReport } from './read-report.js'

const firstRecord = z.object({ id: z.string() })

/** The id of the run that a journal is of; null where its first line can't be read. */
const journalId = (file: string): string | null => {
  try {
    return firstRecord.parse(JSON.parse(firstLine(file))).id
  } catch {
    return null
  }
}

/**
 * The report of a saved run: the one that was written, of this version or an older one, or a new one where the run came
 * to no report. A report that an earlier run left in the folder is not taken for this run's.
 */
export const savedReport = (folder: string, warn: (text: string) => void): Report => {
  const journal = join(folder, 'journal.jsonl')
  const hasJournal = existsSync(journal)
  if (!hasJournal || existsSync(join(folder, 'report.json'))) {
    const written = readReport(folder)
    if (!hasJournal || journalId(journal) === written.run.id) return written
    warn(`${folder}: report.json is of another run than the journal, which is judged instead`)
  }
  const evidence = savedEvidence(folder, warn)
  return buildReport(evidence, judge(evidence), { version: toolVersion, crashed: false })
}
