import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trialsOf } from '../../src/cli/keystone/trials.js'
import { builtFile, scenarioFolder } from '../../src/run/package.js'
import { outcomeOf } from './outcome.js'
import { playStress, type StressOptions } from './play-stress.js'
import { renderStress } from './render-stress.js'
import { openResults, type StressResult } from './results.js'
import { complaintsOf, tallyOf } from './tally.js'

const filesUnder = (folder: string, wanted: RegExp): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** A short hash of everything that is played: the built program and reference server, and the scenarios. */
const buildMark = (): string => {
  const programs = ['src', 'reference-server'].flatMap((folder) => filesUnder(builtFile(folder), /\.js$/))
  const hash = createHash('sha256')
  for (const file of [...programs, ...filesUnder(scenarioFolder, /\.ya?ml$/)]) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

/** The commit of this build, for readers of a page: `a1b2c3d of 2026-11-22`; null outside a repository. */
const commitOfBuild = (): string | null => {
  try {
    const told = ['log', '-1', '--format=%h of %cs']
    return execFileSync('git', told, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}

interface StressRun extends Pick<StressOptions, 'under' | 'ids' | 'part' | 'seed' | 'timeScale' | 'atOnce'> {
  /** The file of results. */
  readonly results: string
  /** Whether results of other builds count too. */
  readonly anyBuild: boolean
  /** The page to write. */
  readonly page: string | undefined
  readonly say: (line: string) => void
}

const wantedOf = ({ expected, passing, open, exitCode }: StressResult): string => {
  const passed = expected.filter((id) => passing.includes(id))
  const told = [
    `wanted ${expected.join(', ') || 'nothing'}`,
    ...(passed.length > 0 ? [`passed ${passed.join(', ')}`] : []),
    ...(open.length > 0 ? [`open ${open.join(', ')}`] : []),
    `exit code ${exitCode}`,
  ]
  return ` (${told.join('; ')})`
}

const lineOf = (result: StressResult): string => {
  const { condition, kind, id, failing, exact, seconds } = result
  const outcome = outcomeOf(result).padEnd('otherwise-red'.length)
  return `${condition} ${outcome} ${kind} ${id}: ${failing.join(', ') || 'nothing'}${exact ? '' : wantedOf(result)} ${seconds} s`
}

/** Plays the rest of the matrix under stress, and returns whether all results are right. */
export const runStress = async (run: StressRun): Promise<boolean> => {
  const { under, ids, seed, timeScale, anyBuild, say } = run
  const [build, commit] = [buildMark(), commitOfBuild()]
  const file = openResults(run.results)
  const counts = (each: StressResult) =>
    under.includes(each.condition) &&
    each.seed === seed &&
    each.timeScale === timeScale &&
    (anyBuild || each.build === build)
  const results = file.earlier.filter(counts)
  await playStress({
    ...run,
    build,
    commit,
    earlier: [...results],
    note: (result) => {
      file.add(result)
      results.push(result)
      say(lineOf(result))
    },
    noteCrowd: (pids) => say(`beside the busy processes ${pids.join(', ')}`),
  })
  const tallies = tallyOf(results, trialsOf(undefined, ids))
  if (run.page !== undefined) writeFileSync(run.page, renderStress(tallies))
  const complaints = complaintsOf(tallies)
  for (const complaint of complaints) say(`NOT ${complaint}`)
  for (const { condition, faults, variations, missing } of tallies)
    say(
      `${condition}: ${faults.length} faults, ${variations.length} variations${missing.length > 0 ? `, ${missing.length} not played` : ''}`,
    )
  return complaints.length === 0
}
