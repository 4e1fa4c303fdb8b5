import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { UsageError } from '../../kit/usage-error.js'
import { renderHistory, storiesOf } from '../../report/compare/history.js'
import type { Report } from '../../report/model.js'
import { toolVersion } from '../../run/package.js'
import { earlierFolder } from '../../run/saved-run.js'
import type { ArgsOf } from '../flags/command.js'
import type { historySurface } from '../flags/saved-runs.js'
import { readReport } from '../output/saved-report.js'

/** Runs lie at most two folders down: `reports/staging/2026-11-21`. */
const deepest = 2

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((each) => each.isDirectory())
        .map(({ name }) => name)
    : []

const earlierIn = (folder: string): string[] => {
  const kept = join(folder, earlierFolder)
  return foldersIn(kept)
    .map((name) => join(kept, name))
    .filter((each) => existsSync(join(each, 'report.json')))
}

const foldersOfRuns = (folder: string, depth = 0): string[] => {
  const own = [...earlierIn(folder), ...(existsSync(join(folder, 'report.json')) ? [folder] : [])]
  if (depth === deepest) return own
  const below = foldersIn(folder).filter((name) => name !== earlierFolder)
  return [...own, ...below.flatMap((name) => foldersOfRuns(join(folder, name), depth + 1))]
}

/** Writes DIR/index.html: every run in the folder, with trends by scenario and target. */
export const history = ({ dir }: ArgsOf<typeof historySurface>): void => {
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
