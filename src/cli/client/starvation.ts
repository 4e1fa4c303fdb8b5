import { readdirSync, readFileSync } from 'node:fs'

/**
 * Says how long each thread of a client has waited for a processor in its life, in milliseconds. Null where the system
 * does not tell, or where the client's processes come and go.
 */
export type StarvationMeter = () => Readonly<Record<string, number>> | null

/** So long the list of processes is taken to hold. */
const listedForMs = 250

const processIds = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name))

/** The process group, behind the name in brackets, which may itself hold brackets and blanks. */
const groupOf = (pid: string): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return 0
  }
}

/** The processes of each group. One list for all clients, as it costs time in which no request is read. */
const groups = { listedAtMs: Number.NEGATIVE_INFINITY, byPid: new Map<string, number>() }

const membersOf = (group: number): string => {
  const nowMs = performance.now()
  if (nowMs - groups.listedAtMs > listedForMs) {
    groups.byPid = new Map(processIds().map((pid) => [pid, groups.byPid.get(pid) ?? groupOf(pid)]))
    groups.listedAtMs = nowMs
  }
  return [...groups.byPid].flatMap(([pid, of]) => (of === group ? [pid] : [])).join()
}

/** The second number of a thread's schedstat: nanoseconds that it was ready to run and did not. */
const waitedByThread = (path: string): number => {
  const ms = Number(readFileSync(`${path}/schedstat`, 'latin1').split(' ')[1]) / 1e6
  return Number.isFinite(ms) ? Math.round(ms * 10) / 10 : 0
}

/** Measures the process group of that id, on Linux. */
export const starvationMeter = (group: number): StarvationMeter => {
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
  return () => {
    if (unknown) return null
    try {
      return measure()
    } catch {
      unknown = true
      return null
    }
  }
}
