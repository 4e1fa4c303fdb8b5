import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startReferenceServer } from '../../src/library/reference-server.js'
import { parseEnterpriseQuota } from '../../src/run/options/keys.js'

const built = (file: string) => resolve(fileURLToPath(new URL('../../dist', import.meta.url)), file)

/** Hardly a run of these tests takes so long; one that does is ended. */
const usualPatienceMs = 600_000

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
  const ended = new Promise<Ended>((done, reject) => {
    child.once('error', reject)
    child.once('close', (code) => done({ code, ...written }))
  })
  const untilWritten: Launched['untilWritten'] = (stream, text) =>
    new Promise((done, reject) => {
      const look = () => {
        if (written[stream].includes(text)) done(written[stream])
      }
      child[stream]?.on('data', look)
      look()
      ended.then(() => reject(new Error(`ended without writing ${text}: ${written.stdout}${written.stderr}`)), reject)
    })
  return { child, ended, untilWritten }
}

/** A command line, with what its place and its environment are besides those of the tests. */
export interface Line extends Pick<LaunchOptions, 'env' | 'cwd'> {
  readonly args: readonly string[]
}

/** A program that plays command lines one after the other: most of what each takes by itself is to start. */
const startedForLines = () => {
  const host = fileURLToPath(new URL('line-after-line.mjs', import.meta.url))
  const { PATH } = process.env
  const child = fork(host, [built('src/cli/main.js')], {
    env: { PATH },
    execArgv: [],
    timeout: usualPatienceMs,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let told = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  // It is never closed once it is disconnected.
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the program that plays line after line ended with ${code}: ${told}`)
  })
  ended.catch(() => {})
  let before: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const next = async (line: Line): Promise<Ended> => {
    child.send(line)
    const [played] = await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error('it ended'))),
    ])
    return played
  }
  return {
    waiting: () => waiting,
    play(line: Line): Promise<Ended> {
      waiting += 1
      const played = before.then(() => next(line))
      before = played
        .catch(() => {})
        .then(() => {
          waiting -= 1
        })
      return played
    },
    /** Resolves once it has ended by itself: no line has left anything open. */
    async end() {
      await before
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/**
 * Plays command lines of the built program that are over at once, one after the other in one process. What one of them knows
 * the next may know too, so a secret is sought in other ways.
 */
export const quotaspecEach = async (lines: readonly Line[]): Promise<readonly Ended[]> => {
  const program = startedForLines()
  try {
    return await Promise.all(lines.map(program.play))
  } finally {
    await program.end()
  }
}

const inTurn: ReturnType<typeof startedForLines>[] = []

/** The same of one line, in turn with the others of its test file; where lines mostly wait, in one of several programs. */
export const quotaspecInTurn = (
  args: readonly string[],
  { atOnce = 1, ...place }: Omit<Line, 'args'> & { readonly atOnce?: number } = {},
): Promise<Ended> => {
  const [idlest] = inTurn.toSorted((a, b) => a.waiting() - b.waiting())
  const isTaken = idlest && (idlest.waiting() === 0 || inTurn.length >= atOnce)
  const program = isTaken ? idlest : startedForLines()
  if (!isTaken) inTurn.push(program)
  return program.play({ args, ...place })
}

/** Ends what plays the lines of a test file in turn. */
export const endTurns = async (): Promise<void> => {
  await Promise.all(inTurn.splice(0).map((program) => program.end()))
}

/** Runs the built program to its end. */
export const quotaspec = (args: readonly string[], options?: LaunchOptions): Promise<Ended> =>
  launch(args, options).ended

/** Plays at most so often what a crowded machine leaves open. */
const mostPlays = 3

/** Plays until the machine was quick enough for what is asked, and says what came of the plays before. */
export const untilPlayed = async <P>(
  play: () => Promise<P>,
  isOpen: (played: P) => boolean,
  told: (played: P) => string,
): Promise<P> => {
  for (let times = 1; ; times += 1) {
    const played = await play()
    if (!isOpen(played) || times === mostPlays) return played
    console.warn(`played again: ${told(played)}`)
  }
}

/**
 * Plays until the evidence is enough for a verdict. A machine that is crowded for a while may leave it open, which is true
 * then; a verdict that is wrong is the first, and the last.
 */
export const untilSettled = <E extends Ended>(
  play: () => Promise<E>,
  isOpen: (ended: E) => boolean = ({ code }) => code === 2,
): Promise<E> => untilPlayed(play, isOpen, ({ stdout }) => stdout.trim().split('\n')[0])

/** Starts `quotaspec serve` on a free port, has it used, and stops it: where a stall of this process would spoil a verdict. */
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

/** The same with the server in this process, which saves to start one. */
export const whileServingHere = async <T>(args: readonly string[], use: (url: string) => Promise<T>): Promise<T> => {
  const several = { type: 'string', multiple: true, default: [] as string[] } as const
  const one = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { key: several, fault: several, quota: several, 'time-scale': one },
  })
  const enterprise = parseEnterpriseQuota(values.quota)
  const server = await startReferenceServer({
    keys: Object.fromEntries(values.key.map((each) => each.split('=', 2))),
    faults: values.fault,
    timeScale: Number(values['time-scale'] ?? 1),
    ...(enterprise && { quotas: { enterprise } }),
  })
  try {
    return await use(server.url)
  } finally {
    await server.close()
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
