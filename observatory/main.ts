import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import yargs from 'yargs'
import { standing, withPlay } from './cells.js'
import { type Column, columnIds, type Limiter, readLimiters } from './limiter.js'
import { type Data, dataSchema, usuallyAtOnce, writePages } from './pages.js'
import { type Job, playCells } from './play-cells.js'
import { playsFor } from './plays.js'

// Plays limiters that people use, as their readmes set them up, and writes what they keep and break into docs/observatory.
// Usage: npm run observatory -- [--only ID…] [--columns COLUMN…] [--repeat N] [--anew] [--at-once N] [--pages]
// What a machine does not have is left out by its name, and what was played of it before stays as it is. Plays of one version
// add up, so that a table that was broken off goes on where it stopped. Loopback alone.

const root = fileURLToPath(new URL('../..', import.meta.url))
const limitersFolder = join(root, 'observatory/limiters')
const pagesFolder = join(root, 'docs/observatory')
const program = join(root, 'dist/src/cli/main.js')
const dataFile = join(pagesFolder, 'data.json')

const options = await yargs(process.argv.slice(2))
  .strict()
  .options({
    only: { array: true, string: true, describe: 'Only these limiters' },
    columns: { array: true, choices: columnIds, default: columnIds, describe: 'Only these columns' },
    repeat: { number: true, describe: 'Play each until so many plays of its version stand, not once more' },
    anew: { boolean: true, default: false, describe: 'Forget what was played of them before' },
    'at-once': { number: true, default: usuallyAtOnce, describe: 'How many runs at a time' },
    pages: { boolean: true, default: false, describe: 'Play nothing, write the pages anew' },
  })
  .parse()

/** How a command ended, and what it printed. */
const output = (command: string, args: readonly string[]) =>
  new Promise<{ code: number | null; text: string }>((resolve) => {
    let text = ''
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
    child.once('error', ({ message }) => resolve({ code: null, text: message }))
    child.once('close', (code) => resolve({ code, text: text.trim() }))
  })

const nameOf = (spec: string) => spec.slice(0, spec.lastIndexOf('@'))

const installedVersion = (name: string): string | undefined => {
  const file = join(limitersFolder, 'node_modules', name, 'package.json')
  return existsSync(file) ? createRequire(file)('./package.json').version : undefined
}

const isInstalled = (spec: string) => installedVersion(nameOf(spec)) === spec.slice(spec.lastIndexOf('@') + 1)

/** Packages go into a folder beside the adapters, where no other program finds them. */
const installMissing = async (limiters: readonly Limiter[]): Promise<void> => {
  const wanted = [...new Set(limiters.flatMap(({ install }) => install.npm ?? []))]
  if (wanted.every(isInstalled)) return
  // All of them at once, for npm removes what it is not told of.
  const { code, text } = await output('npm', [
    'install',
    '--no-save',
    '--no-package-lock',
    '--prefix',
    limitersFolder,
    ...wanted,
  ])
  if (code !== 0) console.error(text)
}

/** The version that is there, or why the limiter is left out. */
const versionOf = async ({ install, versionOf: command, package: name }: Limiter) => {
  const missing = (install.npm ?? []).filter((spec) => !isInstalled(spec))
  if (missing.length > 0) return { missing: `npm packages ${missing.join(', ')}` }
  for (const each of install.debian ?? []) {
    const { code } = await output('dpkg-query', ['-W', each])
    if (code !== 0) return { missing: `the Debian package ${each}` }
  }
  const [program = '', ...args] = command ?? []
  if (program === '') return { version: installedVersion(name) ?? '' }
  const { code, text } = await output(program, args)
  return code === 0 ? { version: /\d+(\.\d+)+\S*/.exec(text)?.[0] ?? text } : { missing: text }
}

const before = (): Data =>
  existsSync(dataFile)
    ? dataSchema.parse(JSON.parse(readFileSync(dataFile, 'utf8')))
    : { machine: { cores: 0, node: '' }, rows: [] }

const all = readLimiters(limitersFolder)
const unknown = (options.only ?? []).filter((id) => !all.some((each) => each.id === id))
if (unknown.length > 0) {
  console.error(`there is no limiter ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}`)
  process.exit(3)
}
const chosen = options.pages ? [] : all.filter(({ id }) => options.only?.includes(id) ?? true)
await installMissing(chosen.length === 0 ? [] : all)

const today = new Date().toISOString().slice(0, 10)
const data = before()
const rows = new Map(data.rows.map((row) => [row.id, row]))
const wanted = new Set<Column>(options.columns)
const jobs: (Job & { readonly nth: number })[] = []
for (const limiter of chosen) {
  const { version, missing } = await versionOf(limiter)
  if (version === undefined) {
    console.log(`${limiter.id}: left out, this machine does not have ${missing}`)
    continue
  }
  const known = rows.get(limiter.id)
  const kept = known?.version === version ? known.cells : []
  const cells = options.anew ? kept.filter(({ column }) => !wanted.has(column)) : kept
  rows.set(limiter.id, { id: limiter.id, version, cells })
  for (const play of playsFor(limiter, wanted)) {
    const stand = standing(cells, play, wanted)
    for (let nth = stand + 1; nth <= (options.repeat ?? stand + 1); nth += 1) jobs.push({ program, limiter, play, nth })
  }
}
// What was played least comes first, so that all of the table has been played about as often whenever this ends.
jobs.sort((one, other) => one.nth - other.nth)

const save = () => {
  const known = all.flatMap(({ id }) => rows.get(id) ?? []).filter(({ cells }) => cells.length > 0)
  const played: Data =
    chosen.length === 0
      ? { ...data, rows: known }
      : { machine: { cores: cpus().length, node: process.version }, rows: known }
  mkdirSync(pagesFolder, { recursive: true })
  writeFileSync(dataFile, `${JSON.stringify(played, null, 2)}\n`)
  writePages(pagesFolder, all, played)
}

// Ended from outside, it ends by itself, so that what it started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const work = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const { limiter, play, nth } = job
    const startedMs = performance.now()
    try {
      const cells = await playCells(job, join(root, 'reports/observatory', limiter.id, `${nth}`))
      const row = rows.get(limiter.id)
      const seconds = Math.round((performance.now() - startedMs) / 100 / play.fills.length) / 10
      for (const cell of cells.filter(({ column }) => wanted.has(column))) {
        if (row) row.cells = withPlay(row.cells, cell, { date: today, seconds })
        const told = `${cell.state}${cell.by === undefined ? '' : ` by ${cell.by}`}: ${cell.measured}`
        console.log(`${limiter.id} ${cell.column}: ${told} (${((performance.now() - startedMs) / 1000).toFixed(0)} s)`)
      }
      // Each by itself, for a whole table takes most of an hour, and may be ended before.
      save()
    } catch (error) {
      console.log(`${limiter.id} ${play.id}: not played: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 2
    }
  }
}
await Promise.all(Array.from({ length: options['at-once'] }, work))
if (options.pages) save()
