import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { reportOf } from '../../assembly/build-report.js'
import { UsageError } from '../../kit/usage-error.js'
import type { Report } from '../../report/model.js'
import { idIn, savedEvidence } from '../../run/run-folder.js'
import type { ArgsOf } from '../flags/command.js'
import type { savedRunCommands } from '../flags/saved-runs.js'
import { formats, parseLink } from '../output/report-formats.js'
import { readReport } from '../output/saved-report.js'

/** The page of a run as a relative path; only its name if it is outside the working directory. */
const pageOf = (dir: string): string => {
  const path = relative(process.cwd(), join(dir, 'report.html'))
  return path.startsWith('..') || isAbsolute(path) ? 'report.html' : path.split(sep).join('/')
}

/** The report of a saved run, or a new one if the run wrote none; not one that an earlier run left in the folder. */
const savedReport = (folder: string, warn: (text: string) => void): Report => {
  const journal = join(folder, 'journal.jsonl')
  const hasJournal = existsSync(journal)
  if (!hasJournal || existsSync(join(folder, 'report.json'))) {
    const written = readReport(folder)
    if (!hasJournal || idIn(journal) === written.run.id) return written
    warn(`${folder}: report.json and the journal are of different runs; the journal is judged`)
  }
  const evidence = savedEvidence(folder, warn)
  return reportOf(evidence)
}

export const report = async (args: ArgsOf<typeof savedRunCommands.report>): Promise<void> => {
  const { dir, as, link, file } = args
  const useless = as === 'sarif' ? undefined : (['link', 'file'] as const).find((flag) => args[flag] !== undefined)
  if (useless) throw new UsageError(`--${useless} works only with --as sarif, not with --as ${as}`)
  const text = await formats[as]({
    report: () => savedReport(dir, (warning) => process.stderr.write(`${warning}\n`)),
    file: file ?? pageOf(dir),
    ...(link !== undefined && { link: parseLink(link) }),
  })
  // A closed reader is no failure; other errors of the output are reported by `outliveReaders`.
  await pipeline(Readable.from([text]), process.stdout, { end: false }).catch(() => {})
}
