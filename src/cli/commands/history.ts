import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { UsageError } from '../../kit/usage-error.js'
import { renderHistory, storiesOf } from '../../report/history.js'
import type { Report } from '../../report/model.js'
import { toolVersion } from '../../run/package.js'
import { earlierFolder } from '../../run/run-folder.js'
import type { ArgsOf } from '../flags/command.js'
import type { savedRunCommands } from '../flags/saved-runs.js'
import { readReport } from '../output/saved-report.js'

/** Runs are at most two folders down: `reports/staging/2026-11-21`. */
const deepest = 2

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? join(folder, each.name) : []))

const isRun = (folder: string): boolean => existsSync(join(folder, 'report.json'))

/** The runs in a folder, with the earlier runs kept below each. */
const foldersOfRuns = (folder: string, depth = 0): string[] => {
  const below = foldersIn(folder).flatMap((each) => {
    if (basename(each) === earlierFolder) return foldersIn(each).filter(isRun)
    return depth < deepest ? foldersOfRuns(each, depth + 1) : []
  })
  return isRun(folder) ? [folder, ...below] : below
}

/** Writes DIR/index.html: every run in the folder, with trends by scenario and target. */
export const history = ({ dir }: ArgsOf<typeof savedRunCommands.history>): void => {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) throw new UsageError(`there is no folder ${dir}`)
  const read: { report: Report; href: string | null }[] = []
  const unreadable: string[] = []
  for (const folder of foldersOfRuns(dir).sort()) {
    const page = join(folder, 'report.html')
    const href = existsSync(page) ? relative(dir, page).split(sep).join('/') : null
    try {
      read.push({ report: readReport(folder), href })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      unreadable.push(error.message)
      process.stderr.write(`left out: ${error.message}\n`)
    }
  }
  const file = join(dir, 'index.html')
  writeFileSync(file, renderHistory(storiesOf(read), unreadable, toolVersion))
  process.stdout.write(`${file}: ${read.length} run${read.length === 1 ? '' : 's'}\n`)
}
