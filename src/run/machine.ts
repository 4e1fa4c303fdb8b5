import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { cpus, hostname } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { RunHead } from '../evidence/journal.js'
import { attempt } from '../kit/usage-error.js'
import { shellWord } from '../kit/words.js'
import { builtFile } from './package.js'

/** Milliseconds of CLOCK_MONOTONIC: all processes share it, and it starts again when the machine boots. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6

export const thisMachine = (): RunHead['environment'] => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpus: cpus().length,
})

/** Which process, on which machine. A pid alone is not enough: the system reuses it. */
export const processIdentity = z.object({
  pid: z.int().positive(),
  /** When it started, in the machine's own ticks; null if the machine does not tell. */
  bornAt: z.string().nullable(),
  /** The machine's boot and the container: processes with the same value can see each other. */
  machine: z.string(),
  host: z.string(),
})
type ProcessIdentity = z.infer<typeof processIdentity>

/** A file of the process in /proc; undefined if it has ended or belongs to another user. */
export const fileOf = (pid: number, name: 'stat' | 'environ'): string | undefined =>
  attempt(() => readFileSync(`/proc/${pid}/${name}`, 'latin1').trim())

/** proc_pid_stat(5): the fields after the name, which is in parentheses and may hold any character. */
export const statOf = (pid: number): readonly string[] | undefined => {
  const stat = fileOf(pid, 'stat')
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const stateAt = 0
const startTimeAt = 19

const machineNow = (): string => {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim())
  const processes = attempt(() => readlinkSync('/proc/self/ns/pid'))
  return [boot ?? hostname(), processes].join(' ')
}

export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  bornAt: statOf(process.pid)?.[startTimeAt] ?? null,
  machine: machineNow(),
  host: hostname(),
})

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Whether a process is still alive; `unknown` if it runs on another machine or in another container. */
export const lifeOf = ({ pid, bornAt, machine }: ProcessIdentity): 'alive' | 'dead' | 'unknown' => {
  if (machine !== machineNow()) return 'unknown'
  if (isGone(pid)) return 'dead'
  const stat = statOf(pid)
  // A zombie: it was killed, and its parent has not waited for it yet.
  if (stat?.[stateAt] === 'Z' || stat?.[stateAt] === 'X') return 'dead'
  if (bornAt === null || stat === undefined) return 'unknown'
  return stat[startTimeAt] === bornAt ? 'alive' : 'dead'
}

/** The package that npx was told to run, read from the folder that npx made for it. */
const packageOfNpx = (script: string): string => {
  const manifest = join(dirname(script), '..', '..', 'package.json')
  const text = existsSync(manifest) ? readFileSync(manifest, 'utf8') : ''
  const named = /"_npx":\s*\{\s*"packages":\s*\[\s*"([^"]+)"/.exec(text)?.[1]
  return named ?? 'quotaspec'
}

/** How to start this program in `folder`: `quotaspec`, `npx quotaspec` or, in a clone, `node dist/src/cli/main.js`. */
export const invokedAs = (script: string | undefined, folder: string): string => {
  if (script === undefined) return 'quotaspec'
  const parts = script.split(sep)
  const isCommand = /^quotaspec(?:\.\w+)?$/.test(parts.at(-1) ?? '')
  const isPackage = parts.at(parts.lastIndexOf('node_modules') + 1) === 'quotaspec'
  if (!isCommand && !isPackage && script !== builtFile('src', 'cli', 'main.js')) return 'quotaspec'
  if (parts.includes('_npx')) return `npx ${shellWord(packageOfNpx(script))}`
  if (parts.includes('node_modules')) return 'npx quotaspec'
  if (isCommand) return 'quotaspec'
  const near = relative(folder, script)
  return `node ${shellWord(near.startsWith('..') ? script : near)}`
}

/** What to type here to start this program. */
export const thisProgram = (): string => invokedAs(process.argv[1], process.cwd())
