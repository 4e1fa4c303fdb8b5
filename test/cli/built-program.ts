import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const built = (file: string) => fileURLToPath(new URL(`../../dist/${file}`, import.meta.url))

/** Hardly a run of these tests takes so long; one that does is ended. */
const usualPatienceMs = 90_000

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Launched {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves once the program has written this, and gives all that it has written to that stream so far. */
  untilWritten(stream: 'stdout' | 'stderr', text: string): Promise<string>
}

export interface LaunchOptions {
  /** The built file that is started; the program unless told. */
  readonly program?: string
  /** Beside PATH, the whole environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Modules that are loaded before the program. */
  readonly imports?: readonly string[]
  /** The file that takes standard output; unless one is given, it is read. */
  readonly stdout?: number
  readonly patienceMs?: number
  /** The working directory. */
  readonly cwd?: string
}

/** Starts the built program. */
export const launch = (
  args: readonly string[],
  {
    program = 'src/cli/main.js',
    env = {},
    imports = [],
    stdout,
    patienceMs = usualPatienceMs,
    cwd,
  }: LaunchOptions = {},
): Launched => {
  const child = spawn(process.execPath, [...imports.flatMap((each) => ['--import', each]), built(program), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    timeout: patienceMs,
    cwd,
  })
  const written = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...written }))
  })
  const untilWritten: Launched['untilWritten'] = (stream, text) =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (written[stream].includes(text)) resolve(written[stream])
      }
      child[stream]?.on('data', look)
      look()
      ended.then(() => reject(new Error(`ended without writing ${text}: ${written.stdout}${written.stderr}`)), reject)
    })
  return { child, ended, untilWritten }
}

/** Runs the built program to its end. */
export const quotaspec = (args: readonly string[], options?: LaunchOptions): Promise<Ended> =>
  launch(args, options).ended

/** Starts `quotaspec serve` on a free port, has it used, and stops it. */
export const whileServing = async <T>(args: readonly string[], use: (url: string) => Promise<T>): Promise<T> => {
  const server = launch(['serve', '--port', '0', ...args])
  try {
    const line = await server.untilWritten('stdout', '/v1\n')
    return await use(line.trim().replace('listening on ', ''))
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
  }
}

const folders: string[] = []

/** A new folder for what a run writes; gone once the tests of the file are over. */
export const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-cli-'))
  folders.push(folder)
  return folder
}

/** Removes all that was written so far. */
export const removeFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** Every file under a folder, by its path within it. */
export const filesIn = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path)]),
  )
