import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startReferenceServer } from '../../reference-server/petstore-app.js'
import { executeRun } from '../../src/assembly/build-report.js'
import type { Report } from '../../src/report/model.js'
import { writeReports } from '../../src/report/write-files.js'
import { judge } from '../../src/run/judge.js'
import { prepareRun } from '../../src/run/options/prepare-run.js'
import { programSource, settleOptions } from '../../src/run/options/settle-options.js'
import { savedEvidence } from '../../src/run/run-folder.js'
import type { Verdict } from '../../src/verdict/verdict.js'
import type { Behaviour } from './behaviour.js'
import { type Front, startFront, whole } from './front.js'

/** The key that every hostile target is given. */
export const secret = 'Kq83Wz71Pm40Xj65Tr2'

interface Pace {
  readonly timeScale: number
  /** Of one answer, in seconds. */
  readonly limitS: number
  /** Of a whole run, in seconds: by then it ends, its inventory put back or given up. */
  readonly runLimitS: number
}

/** No machine is so slow. */
const patient = { limitS: 60, runLimitS: 600 }

/** Where a target may pass, or has to fail, a busy machine must not make the verdict; of the others waiting is the point. */
export const paces: Readonly<Record<Behaviour['kind'], Pace>> = {
  conforming: { timeScale: 15, ...patient },
  odd: { timeScale: 15, ...patient },
  broken: { timeScale: 60, ...patient },
  bad: { timeScale: 60, limitS: 0.4, runLimitS: 20 },
  unproven: { timeScale: 60, limitS: 0.4, runLimitS: 20 },
}

/** Of a load, hello and the request that opens the window are served: else no load would be put on the target. */
const servedBeforeLoad = 2

export type Way = 'single' | 'load'

const scenarioOf = (way: Way): string => fileURLToPath(new URL(`${way}.yaml`, import.meta.url))

const frontOf = (behaviour: Behaviour, way: Way, behind: string): Promise<Front> => {
  const { act, onConnection, make } = behaviour
  return startFront({
    behind,
    onConnection,
    make,
    act: (turn) => {
      const isServed = !act || (way === 'load' && turn.nth < servedBeforeLoad)
      return isServed ? void turn.socket.write(whole(turn.healthy)) : act(turn)
    },
  })
}

/** The options that a behaviour is played with; certificates in a file of the folder. */
export const optionsFor = (behaviour: Behaviour, port: number, folder: string) => {
  const { scheme = 'http', host = '127.0.0.1', flags = {} } = behaviour
  const { timeScale, limitS, runLimitS } = paces[behaviour.kind]
  if (flags.ca !== undefined) writeFileSync(join(folder, 'ca.pem'), flags.ca)
  return {
    target: `${scheme}://${host}:${port}/v1`,
    keys: { free: secret },
    timeScale,
    out: join(folder, 'run'),
    timeouts: { connect: limitS, head: limitS, body: limitS, run: runLimitS },
    ...(flags.ca === undefined ? {} : { ca: join(folder, 'ca.pem') }),
    ...(flags.insecure ? { insecure: true } : {}),
  }
}

/** Has a behaviour's target up while `use` goes on, and gives it the port. */
export const whileHostile = async <T>(
  behaviour: Behaviour,
  way: Way,
  use: (port: number) => Promise<T>,
): Promise<T> => {
  const behind = await startReferenceServer({
    keys: [{ plan: 'free', secret }],
    timeScale: paces[behaviour.kind].timeScale,
    port: 0,
  })
  const front = await frontOf(behaviour, way, behind.url)
  if (behaviour.closed) await front.close()
  try {
    return await use(front.port)
  } finally {
    if (!behaviour.closed) await front.close()
    await behind.close()
  }
}

export interface Played {
  readonly report: Report
  readonly crashes: readonly string[]
  /** How long it took, less what this process stood still for: others that are played beside it make it wait. */
  readonly tookMs: number
  /** The clauses, with their verdicts, that the saved run is judged to when it is read again. */
  readonly judgedAgain: readonly string[]
  readonly verdicts: readonly string[]
  /** Files of the run that hold the key. */
  readonly leaks: readonly string[]
}

/** Counts time in short ticks, each once however late it comes: what the event loop stood still for is not in it. */
const ownTime = (): (() => number) => {
  const tickMs = 50
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, tickMs)
  return () => {
    clearInterval(timer)
    return ticks * tickMs
  }
}

const verdictOf = (id: string, verdict: Verdict): string => `${id} ${verdict}`

/** Plays a behaviour's target in this process, from the flags to the written reports, and has `look` see the folder. */
export const playBehaviour = (
  behaviour: Behaviour,
  way: Way,
  look: (out: string) => void = () => {},
): Promise<Played> =>
  whileHostile(behaviour, way, async (port) => {
    const folder = mkdtempSync(join(tmpdir(), 'quotaspec-hostile-'))
    const out = join(folder, 'run')
    try {
      const options = { ...optionsFor(behaviour, port, folder), scenario: scenarioOf(way), seed: 7 }
      const prepared = prepareRun(settleOptions([programSource(options)]), {})
      const took = ownTime()
      const { report, crashes } = await executeRun(prepared, {
        out,
        interrupt: new AbortController().signal,
        watch: () => {},
        resolve: behaviour.resolve,
      })
      const tookMs = took()
      writeReports(out, report)
      look(out)
      const again = judge(savedEvidence(out, () => {}))
      const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      return {
        report,
        tookMs,
        crashes: crashes.map(({ probe, error }) => `${probe}: ${error instanceof Error ? error.stack : error}`),
        verdicts: report.clauses.map(({ id, verdict }) => verdictOf(id, verdict)),
        judgedAgain: again.clauses.map(({ clause, verdict }) => verdictOf(clause.id, verdict)),
        leaks: files
          .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(secret))
          .map((entry) => entry.name),
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
