import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt, UsageError } from '../../kit/usage-error.js'
import { fileOf, statOf } from '../../run/machine.js'

/** How long a list of processes stays valid. */
const listedForMs = 250

const processIds = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name))

/** The group of each process: one list for all clients, because making it takes time in which no request is read. */
const groups = { listedAtMs: Number.NEGATIVE_INFINITY, byPid: new Map<string, number>() }

const membersOf = (group: number): string => {
  const nowMs = performance.now()
  if (nowMs - groups.listedAtMs > listedForMs) {
    // 0 if a process has ended or belongs to another user.
    const groupOf = (pid: string) => groups.byPid.get(pid) ?? Number(statOf(Number(pid))?.[2] ?? 0)
    groups.byPid = new Map(processIds().map((pid) => [pid, groupOf(pid)]))
    groups.listedAtMs = nowMs
  }
  return [...groups.byPid].flatMap(([pid, of]) => (of === group ? [pid] : [])).join()
}

/** The second number of a thread's schedstat: nanoseconds that it was ready to run but did not. */
const waitedByThread = (path: string): number => {
  const ms = Number(readFileSync(`${path}/schedstat`, 'latin1').split(' ')[1]) / 1e6
  return Number.isFinite(ms) ? Math.round(ms * 10) / 10 : 0
}

/** How long each thread of a process group has waited for a processor so far, in ms; null if the system cannot tell. */
export const starvationMeter = (group: number) => {
  let members: string | undefined
  let unknown = false
  const measure = (): Readonly<Record<string, number>> => {
    members ??= membersOf(group)
    if (members === '' || membersOf(group) !== members) throw new Error('its processes come and go')
    const threads = members
      .split(',')
      .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`))
    return Object.fromEntries(threads.map((path) => [path.slice(path.lastIndexOf('/') + 1), waitedByThread(path)]))
  }
  return (): Readonly<Record<string, number>> | null => {
    const waits = unknown ? undefined : attempt(measure)
    unknown = waits === undefined
    return waits ?? null
  }
}

/** How many of the last characters of a client's output are kept. */
const keptOutput = 4_000
/** How long a client has to end after SIGTERM. */
const graceMs = 300

/** Set in the environment of everything that a client starts, so that all of it, and nothing else, can be ended. */
const markName = 'QUOTASPEC_PLAY'

/** Sends a signal to a process or, if `pid` is negative, to a whole group; undefined if it has already ended. */
const send = (pid: number, signal: NodeJS.Signals | 0): true | undefined => attempt(() => process.kill(pid, signal))

const groupLives = (pid: number): boolean => send(-pid, 0) === true

/** Kills processes with the mark, even if they left the group (setsid). On Linux only. Returns whether there were any. */
const killMarked = (mark: string): boolean => {
  const others = (attempt(processIds) ?? []).map(Number).filter((pid) => pid !== process.pid)
  const left = others.filter((pid) => fileOf(pid, 'environ')?.split('\0').includes(`${markName}=${mark}`))
  for (const pid of left) send(pid, 'SIGKILL')
  return left.length > 0
}

const startFailure = (file: string, error: NodeJS.ErrnoException): UsageError =>
  new UsageError(
    error.code === 'ENOENT'
      ? `${file}: there is no such command; after --, write what you would type to start the client`
      : `${file}: can't be started (${error.code ?? error.message})`,
  )

const keepTail = (child: ChildProcess): (() => string) => {
  let tail = ''
  const keep = (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-keptOutput)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => tail
}

/** Ends the group with SIGTERM, then SIGKILL, and processes that left it. Resolves to whether there was any. */
const endGroup = async (pid: number, mark: string): Promise<boolean> => {
  const lived = groupLives(pid)
  if (lived) {
    send(-pid, 'SIGTERM')
    for (let waited = 0; waited < graceMs && groupLives(pid); waited += 20) await pause(20)
    send(-pid, 'SIGKILL')
  }
  return killMarked(mark) || lived
}

export type ClientProcess = Awaited<ReturnType<typeof startClient>>

/** Starts a command in its own process group, without a shell; a {@link UsageError} if it can't be started. */
export const startClient = async ([file, ...args]: readonly string[], environment: NodeJS.ProcessEnv, mark: string) => {
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, [markName]: mark },
  })
  const output = keepTail(child)
  let exit: { readonly exitCode: number | null; readonly signal: string | null } | null = null
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      exit = { exitCode, signal }
      resolve()
    })
  })
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(startFailure(file, error)))
    child.once('spawn', () => resolve(child.pid ?? 0))
  })
  return {
    starved: starvationMeter(pid),
    /** Resolves when the command has ended and nothing of its process group is left. */
    ended: exited.then(async () => {
      while (groupLives(pid)) await pause(50)
    }),
    /** How the command itself ended; null while it runs. */
    exit: () => exit,
    /** The end of its output, from both streams. */
    output,
    /** Ends the command and everything that it started. Resolves to whether anything was left to end. */
    stop: async () => {
      const left = await endGroup(pid, mark)
      child.stdout?.destroy()
      child.stderr?.destroy()
      return left
    },
    /** Kills them at once, for when this process itself is ending. */
    kill: () => {
      send(-pid, 'SIGKILL')
      killMarked(mark)
    },
  }
}
