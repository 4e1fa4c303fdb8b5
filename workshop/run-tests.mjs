/**
 * Runs all kinds of tests at once: units and recordings fill the processors while what is played waits. In one vitest they
 * would share its workers, each of which would read and compile all modules of the units. Arguments go to each kind, such as
 * names of test files. Each writes its results as JSON, to the folder TEST_RESULTS if it is set.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const asked = process.argv.slice(2)
const kinds = ['end to end', 'units', 'recordings']
const results = process.env.TEST_RESULTS ?? mkdtempSync(join(tmpdir(), 'quotaspec-results-'))
const resultsOf = (project) => join(results, `${project}.json`)

/** Resolves to what it printed, if it does not print as it goes, and to its exit code. */
const run = (project, prints = false) =>
  new Promise((resolve) => {
    const options = [
      'run',
      '--mode',
      'built',
      '--project',
      project,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${resultsOf(project)}`,
    ]
    const vitest = spawn(join('node_modules', '.bin', 'vitest'), [...options, ...asked], {
      stdio: ['ignore', prints ? 'inherit' : 'pipe', prints ? 'inherit' : 'pipe'],
    })
    const told = []
    for (const stream of [vitest.stdout, vitest.stderr]) stream?.on('data', (chunk) => told.push(chunk))
    vitest.on('close', (code) => resolve({ told: Buffer.concat(told), code: code ?? 1 }))
  })

const [played, ...others] = await Promise.all(kinds.map((kind, i) => run(kind, i === 0)))
for (const { told } of others) process.stdout.write(told)
process.exitCode = [played, ...others].find(({ code }) => code !== 0)?.code ?? 0
// Each kind may have none of the files that are asked for, but not all.
const testsOf = (kind) => JSON.parse(readFileSync(resultsOf(kind), 'utf8')).numTotalTests
if (process.exitCode === 0 && kinds.every((kind) => testsOf(kind) === 0)) {
  process.stderr.write(`No test file matches ${asked.join(' or ')}. Name part of its path, such as checks/rate.\n`)
  process.exitCode = 1
}
if (process.env.TEST_RESULTS === undefined) rmSync(results, { recursive: true, force: true })
