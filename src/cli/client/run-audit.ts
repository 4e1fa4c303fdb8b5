import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { watchInput } from '../../../reference-server/scripted/input-watch.js'
import { type ArrivalRecord, type Audit, arrivalsVersion, auditOf, openArrivals } from '../../evidence/arrivals.js'
import { systemClock } from '../../kit/clock.js'
import { toolVersion } from '../../run/package.js'
import type { ClientProcess } from './client-process.js'
import { besideControl } from './control-client.js'
import type { PlannedPlay, PlayContext } from './play-case.js'
import { playCounter } from './play-counter.js'

export interface AuditPlan {
  readonly scenario: string
  readonly plays: readonly PlannedPlay[]
  /** How the client is named in the report. */
  readonly client: string
  readonly command: string
  readonly strict: boolean
  readonly cases: { readonly played: number; readonly of: number }
  readonly out: string
  readonly interrupt: AbortSignal
  /** Whether the interruption is how it ordinarily ends, as it does for one that listens. */
  readonly endsByInterrupt: boolean
}

const headOf = (plan: AuditPlan): Extract<ArrivalRecord, { type: 'audit' }> => ({
  type: 'audit',
  arrivalsVersion,
  toolVersion,
  id: randomBytes(6).toString('hex'),
  startedAt: new Date(systemClock.wallMs()).toISOString(),
  wallStartMs: systemClock.wallMs(),
  scenario: plan.scenario,
  client: plan.client,
  command: plan.command,
  strict: plan.strict,
  cases: plan.cases,
  environment: { node: process.version, platform: process.platform, cpus: availableParallelism() },
})

/**
 * Gathers the arrivals of an audit: `gather` plays, and everything that it writes is on disk as it happens. Resolves
 * to the whole audit, as it would be read back.
 */
export const runAudit = async (
  plan: AuditPlan,
  gather: (context: PlayContext & { readonly environment: NodeJS.ProcessEnv }) => Promise<void>,
): Promise<Audit> => {
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
  const running = new Set<ClientProcess>()
  const killRunning = () => {
    for (const client of running) client.kill()
  }
  process.once('exit', killRunning)
  write(headOf(plan))
  const input = watchInput(systemClock)
  try {
    const { interrupt } = plan
    const context = { clock: systemClock, zeroMs, input, write, interrupt, running, environment: process.env }
    await besideControl(context, () => gather(context))
    write({
      type: 'end',
      at: systemClock.monotonicMs() - zeroMs,
      interrupted: plan.interrupt.aborted && !plan.endsByInterrupt,
    })
  } finally {
    process.off('exit', killRunning)
    input.stop()
    log.close()
    counter?.end()
  }
  return auditOf(records)
}
