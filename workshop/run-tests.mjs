/**
 * Runs both kinds of tests at once: units fill the processors while what is played waits. In one vitest they would share its
 * workers, each of which would read and compile all that units import. Arguments go to both, such as names of test files.
 * With TEST_RESULTS, a folder, each kind also writes its results there, as JSON.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const { TEST_RESULTS } = process.env

/** Resolves to what it printed, if it does not print as it goes, and to its exit code. */
const run = (project, prints) =>
  new Promise((resolve) => {
    const results =
      TEST_RESULTS === undefined ? [] : ['--reporter=json', `--outputFile.json=${join(TEST_RESULTS, project)}.json`]
    const options = [
      'run',
      '--mode',
      'built',
      '--project',
      project,
      '--passWithNoTests',
      '--reporter=default',
      ...results,
    ]
    const vitest = spawn(join('node_modules', '.bin', 'vitest'), [...options, ...process.argv.slice(2)], {
      stdio: ['ignore', prints ? 'inherit' : 'pipe', prints ? 'inherit' : 'pipe'],
    })
    const told = []
    for (const stream of [vitest.stdout, vitest.stderr]) stream?.on('data', (chunk) => told.push(chunk))
    vitest.on('close', (code) => resolve({ told: Buffer.concat(told), code: code ?? 1 }))
  })

const [units, played] = await Promise.all([run('units', false), run('end to end', true)])
process.stdout.write(units.told)
process.exitCode = units.code || played.code
