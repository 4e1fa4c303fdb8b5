import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'

/** Which process, on which machine: a number alone is given to another one once its owner is gone. */
export const processIdentity = z.object({
  pid: z.int().positive(),
  /** When it was started, as the machine counts; null where the machine does not tell. */
  bornAt: z.string().nullable(),
  /** The machine since its last start, and the container: what has the same one sees the same processes. */
  machine: z.string(),
  host: z.string(),
})
export type ProcessIdentity = z.infer<typeof processIdentity>

const told = (read: () => string): string | null => {
  try {
    return read().trim()
  } catch {
    return null
  }
}

/** proc_pid_stat(5): what follows the name, which is in parentheses and may hold any character. */
const statOf = (pid: number): readonly string[] | null => {
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const stateAt = 0
const startTimeAt = 19

const machineNow = (): string => {
  const boot = told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))
  const processes = told(() => readlinkSync('/proc/self/ns/pid'))
  return [boot ?? hostname(), processes ?? ''].join(' ')
}

/** The process that asks. */
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
    // EPERM: it is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Whether a process still lives; `unknown` where it can't be seen from here: on another machine, or in another container. */
export const lifeOf = ({ pid, bornAt, machine }: ProcessIdentity): 'alive' | 'dead' | 'unknown' => {
  if (machine !== machineNow()) return 'unknown'
  if (isGone(pid)) return 'dead'
  const stat = statOf(pid)
  // One that was killed and that its parent has not asked after yet.
  if (stat?.[stateAt] === 'Z' || stat?.[stateAt] === 'X') return 'dead'
  if (bornAt === null || stat === null) return 'unknown'
  return stat[startTimeAt] === bornAt ? 'alive' : 'dead'
}
