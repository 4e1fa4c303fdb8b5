import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startReferenceServer } from '../reference-server/petstore-app.js'
import { medianOf } from '../src/kit/numbers.js'

// How long commands take to start, as multiples of `node -e 0`, and which files they load.
// Usage: node dist/bench/start-up.js [rounds]; it sends only a smoke run to its own reference server.

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'dist/src/cli/main.js')
const rounds = Number(process.argv[2] ?? 10)
const mostFiles = 6

interface Measured {
  readonly name: string
  readonly args: readonly string[]
  /** The most that it may take, as a multiple of `node -e 0`. */
  readonly most: number
}

const secret = 'start-up-free-Lk76Jh54'

/** Saves a small run to be judged again. */
const saveRun = async (out: string): Promise<void> => {
  const server = await startReferenceServer({ keys: [{ plan: 'free', secret }], port: 0 })
  const args = ['run', 'smoke', '--target', server.url, '--out', out]
  try {
    await promisify(execFile)(process.execPath, [program, ...args], { env: { QUOTASPEC_KEY_FREE: secret } })
  } finally {
    await server.close()
  }
}

const cases = (run: string): readonly Measured[] => [
  { name: '--help', args: ['--help'], most: 2 },
  { name: '--version', args: ['--version'], most: 2 },
  { name: 'run --help', args: ['run', '--help'], most: 2 },
  { name: 'run --targt x', args: ['run', '--targt', 'x'], most: 2 },
  { name: 'run', args: ['run'], most: 2 },
  { name: 'smoke', args: ['smoke'], most: 2 },
  { name: 'judge', args: ['judge'], most: 2 },
  { name: 'judge DIR DIR', args: ['judge', 'a', 'b'], most: 2 },
  { name: 'plan', args: ['plan', '--target', 'http://127.0.0.1:9/v1', '--key', 'free=abcdefgh'], most: 5 },
  { name: 'judge DIR', args: ['judge', run], most: 5 },
]

const millisecondsOf = (args: readonly string[]): number => {
  const began = performance.now()
  spawnSync(process.execPath, args, { stdio: 'ignore', cwd: tmpdir() })
  return performance.now() - began
}

const median = (values: readonly number[]): number => medianOf(values.toSorted((a, b) => a - b))

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly url: string } }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The files of the program and its packages in which a command spent its time, most expensive first. */
const dearest = (args: readonly string[]): { readonly count: number; readonly files: readonly string[] } => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-start-up-'))
  const hook = `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(
    'export const load = async (url, context, next) => { process._rawDebug("loaded " + url); return next(url, context) }',
  )}))`
  const loading = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, program, ...args]
  const { stderr } = spawnSync(process.execPath, loading, { encoding: 'utf8', cwd: folder })
  const loaded = new Set(stderr.match(/^loaded file:.*$/gm) ?? [])
  spawnSync(process.execPath, ['--cpu-prof', '--cpu-prof-dir', folder, program, ...args], { stdio: 'ignore' })
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  const profile: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  rmSync(folder, { recursive: true })
  const urls = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame.url]))
  const spent = new Map<string, number>()
  for (const [at, id] of profile.samples.entries()) {
    const url = urls.get(id) ?? ''
    if (url.startsWith('file:')) spent.set(url, (spent.get(url) ?? 0) + (profile.timeDeltas[at] ?? 0) / 1000)
  }
  const files = [...spent]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostFiles)
    .map(([url, ms]) => {
      const path = fileURLToPath(url)
      const kib = Math.round(statSync(path).size / 1024)
      return `${ms.toFixed(1).padStart(8)} ms  ${path.replace(`${dirname(program)}/`, '').replace(root, '')} (${kib} KiB)`
    })
  return { count: loaded.size, files }
}

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-start-up-run-'))
try {
  const run = join(folder, 'run')
  await saveRun(run)
  const measured = cases(run)
  const bare: number[] = []
  const taken = measured.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    bare.push(millisecondsOf(['-e', '0']))
    for (const [at, { args }] of measured.entries()) taken[at].push(millisecondsOf([program, ...args]))
  }
  console.log(`node -e 0 takes ${median(bare).toFixed(0)} ms; medians of ${rounds}`)
  for (const [at, { name, args, most }] of measured.entries()) {
    const ratio = median(taken[at]) / median(bare)
    const { count, files } = dearest(args)
    console.log(
      `${ratio <= most ? 'ok  ' : 'SLOW'} ${ratio.toFixed(2)} times, of ${most}: quotaspec ${name}, ${count} files`,
    )
    for (const each of files) console.log(each)
  }
} finally {
  rmSync(folder, { recursive: true })
}
