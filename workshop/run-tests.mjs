/**
 * Runs all kinds of tests at once: units and recordings fill the processors while what is played waits. In one vitest they
 * would share its workers, each of which would read and compile all modules of the units. Arguments go to each kind, such as
 * names of test files. With TEST_RESULTS, a folder, each also writes its results there, as JSON.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const { TEST_RESULTS } = process.env

/** Resolves to what it printed, if it does not print as it goes, and to its exit code. */
const run = (project, prints = false) =>
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

const [played, ...others] = await Promise.all([run('end to end', true), run('units'), run('recordings')])
for (const { told } of others) process.stdout.write(told)
process.exitCode = [played, ...others].find(({ code }) => code !== 0)?.code ?? 0
