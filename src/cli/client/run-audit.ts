import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import {
  type ArrivalRecord,
  type Audit,
  type AuditHead,
  arrivalsVersion,
  auditOf,
  openArrivals,
} from '../../evidence/arrivals.js'
import { systemClock } from '../../kit/clock.js'
import { sideBySide } from '../../kit/side-by-side.js'
import { toolVersion } from '../../run/package.js'
import { liveBlock, type ProgressOutput } from '../output/progress.js'
import { type ClientProcess, startClient } from './client-process.js'
import { type PlannedPlay, type PlayContext, playCase } from './play-case.js'
import { startScriptedServer, watchInput } from './scripted-server.js'

/** How long the control waits between an answer and its next request. */
const everyMs = 200

/**
 * A client with a known schedule: it asks, waits for the answer, waits for `everyMs`, and asks again. By `node:http`: with
 * `fetch` it takes three times as long to start, while the first clients are timed.
 */
const source = `
const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env
import('node:http').then(({ get }) => {
  const ask = () => get(url + '/inventory', { headers: { Authorization: 'Bearer ' + key } }, (response) =>
    response.resume().once('end', () => setTimeout(ask, ${everyMs}))).once('error', () => {})
  ask()
})`

/** Two, because what delays one may spare the other, and the client. */
const controls = 2

const startControl = async (context: PlayContext) => {
  const { clock, input, write, environment } = context
  const key = `control-${randomBytes(15).toString('hex')}`
  let answeredAt: number | undefined
  const server = await startScriptedServer({
    script: { answers: [{ status: 200, times: 1, delayMs: 0, bare: true }] },
    key,
    clock,
    input,
    onArrival: (seen) => {
      if (answeredAt !== undefined)
        write({ type: 'beat', at: seen.at, lateMs: Math.max(0, seen.at - answeredAt - everyMs) })
      answeredAt = seen.answeredAt ?? seen.at
    },
  })
  const own = { ...environment, PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: key }
  const control = await startClient([process.execPath, '-e', source], own, key)
  context.running.add(control)
  return async () => {
    await control.stop()
    context.running.delete(control)
    await server.close()
  }
}

/** Runs the controls during `gather`, and records how late each of their requests comes. */
const besideControl = async (context: PlayContext, gather: () => Promise<void>): Promise<void> => {
  const stops: (() => Promise<void>)[] = []
  try {
    for (let started = 0; started < controls; started += 1) stops.push(await startControl(context))
    await gather()
  } finally {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Counts finished plays on a terminal, as `41 of 58 plays done`; writes nothing elsewhere. */
export const playCounter = (
  plays: number,
  output: ProgressOutput = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
) => {
  const isLive = output.isTTY === true && environment.TERM !== 'dumb'
  const block = liveBlock(output)
  let done = 0
  const draw = () => {
    if (isLive) block.draw([`${done} of ${plays} plays done`])
  }
  draw()
  return {
    count() {
      done += 1
      draw()
    },
    end: () => block.erase(),
  }
}

export interface AuditPlan extends Pick<AuditHead, 'scenario' | 'client' | 'command' | 'strict' | 'cases'> {
  readonly plays: readonly PlannedPlay[]
  readonly out: string
  readonly interrupt: AbortSignal
  /** Whether an interruption is its normal end, as with `--listen`. */
  readonly endsByInterrupt: boolean
}

const headOf = ({ scenario, client, command, strict, cases }: AuditPlan): AuditHead => ({
  type: 'audit',
  arrivalsVersion,
  toolVersion,
  id: randomBytes(6).toString('hex'),
  startedAt: new Date(systemClock.wallMs()).toISOString(),
  wallStartMs: systemClock.wallMs(),
  scenario,
  client,
  command,
  strict,
  cases,
  environment: { node: process.version, platform: process.platform, cpus: availableParallelism() },
})

/** Gathers the arrivals of an audit, each on disk at once. Resolves to the whole audit, as it would be read back. */
export const runAudit = async (plan: AuditPlan, gather: (context: PlayContext) => Promise<void>): Promise<Audit> => {
  const log = openArrivals(plan.out)
  // Every play listens for the interruption.
  setMaxListeners(2 * plan.plays.length + 10, plan.interrupt)
  const records: ArrivalRecord[] = []
  const counter = plan.endsByInterrupt ? undefined : playCounter(plan.plays.length)
  const write = (record: ArrivalRecord) => {
    if (record.type === 'play') counter?.count()
    log.write(record)
    records.push(record)
  }
  const zeroMs = systemClock.monotonicMs()
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() - zeroMs }
  const running = new Set<ClientProcess>()
  const killRunning = () => {
    for (const client of running) client.kill()
  }
  process.once('exit', killRunning)
  write(headOf(plan))
  const input = watchInput(clock)
  try {
    const { interrupt, endsByInterrupt } = plan
    const context = { clock, input, write, interrupt, running, environment: process.env }
    await besideControl(context, () => gather(context))
    write({ type: 'end', at: clock.monotonicMs(), interrupted: interrupt.aborted && !endsByInterrupt })
  } finally {
    process.off('exit', killRunning)
    input.stop()
    log.close()
    counter?.end()
  }
  return auditOf(records)
}

/** How many clients start at once: more would disturb each other's timing. */
const startingAtOnce = 4

/** After this many plays without any request, the command evidently sends none. */
const enoughWithout = 4

/** Plays all in parallel, with staggered starts, until all have ended or enough show that the command sends nothing. */
export const playAll = async (plays: readonly PlannedPlay[], command: readonly string[], context: PlayContext) => {
  const enough = new AbortController()
  const interrupt = AbortSignal.any([context.interrupt, enough.signal])
  setMaxListeners(2 * plays.length + 10, interrupt)
  let [without, hasCome] = [0, false]
  const write = (record: ArrivalRecord) => {
    context.write(record)
    hasCome ||= record.type === 'arrival'
    if (record.type === 'play' && record.end === 'exit') without += 1
    if (!hasCome && without >= enoughWithout) enough.abort()
  }
  const running: Promise<void>[] = []
  let failed: unknown
  const started = (play: PlannedPlay) =>
    new Promise<void>((onStarted) => {
      const playing = playCase(play, { ...context, interrupt, write }, { command, onStarted })
      running.push(
        playing.catch((error: unknown) => {
          failed ??= error
          enough.abort()
        }),
      )
    })
  await sideBySide(plays, startingAtOnce, async (play) => {
    if (!interrupt.aborted) await started(play)
  })
  await Promise.all(running)
  if (failed !== undefined) throw failed
}
