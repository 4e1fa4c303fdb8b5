import { countsByAddress } from '../contract/partitions.js'
import { contractOf } from '../contract/petstore/petstore.js'
import { interfaceText } from '../contract/petstore/schemas.js'
import type { Exchange } from '../evidence/exchange.js'
import type { Journal, RunHead } from '../evidence/journal.js'
import { openJournal, reopenJournal } from '../evidence/journal-file.js'
import { createRedactor } from '../evidence/redaction.js'
import { systemClock } from '../kit/clock.js'
import { seededRandom } from '../kit/random.js'
import { UsageError, whyOf } from '../kit/usage-error.js'
import { present } from '../kit/words.js'
import { createCredentials } from '../wire/http/credentials.js'
import { createExchangeSender, type ExchangeSender } from '../wire/http/exchange-sender.js'
import { isHere, type PinnedAddress, pinAddress, type Resolve } from '../wire/http/pin-address.js'
import type { Generator } from '../wire/load/load-order.js'
import { machineMs } from './machine.js'
import type { GivenKey } from './options/keys.js'
import type { PreparedRun } from './options/prepare-run.js'
import { isLoopback, type Safety } from './options/target.js'
import type { CommandRunner } from './playing/events.js'
import { playRun } from './playing/play.js'
import { loadTheGenerator, localGenerator } from './playing/play-load.js'
import type { Progress } from './playing/progress.js'
import type { ResumedRun } from './resume.js'
import type { RunSetup } from './run-setup.js'

/** Machines that send the loads of a run in its place. */
interface Fleet {
  readonly members: readonly {
    readonly group: string
    readonly card: { readonly name: string; readonly target: string }
  }[]
  /** Makes a generator that sends loads through the agents, for a run that began at this moment of its clock. */
  generator(startedAt: number): Generator
  /** Reports what each agent has sent, and when one is lost. */
  watch(listener: (state: Omit<Extract<Progress, { kind: 'agent' }>, 'kind' | 'at'>) => void): void
}

/** The run with its loads sent by agents, except for quotas by address, whose single requests come from this machine. */
const sentByAgents = (setup: RunSetup, fleet: Fleet): RunSetup => {
  const { head, startedAt, clock, watch } = setup
  const distributed = fleet.generator(startedAt)
  const local = localGenerator(setup)
  const byAddress = contractOf(head).quotas.flatMap((quota) => (countsByAddress(quota) ? [quota.id] : []))
  const generator: Generator = (order, each) =>
    (byAddress.some((id) => id === order.quota) ? local : distributed)(order, each)
  fleet.watch((state) => watch({ kind: 'agent', at: clock.monotonicMs() - startedAt, ...state }))
  const remarks = byAddress.map((id) => `the quota ${id} counts by address, so this machine tests it, not an agent`)
  return { ...setup, generator, remarks: [...(setup.remarks ?? []), ...remarks] }
}

export interface RunExecution {
  /** The folder of the journal. If absent, nothing is written to disk. */
  readonly out?: string
  readonly interrupt: AbortSignal
  readonly watch: (event: Progress) => void
  /** The agents that send its loads. Default: this machine does. */
  readonly fleet?: Fleet
  /** Looks up the target's name. Default: the system's resolver. */
  readonly resolve?: Resolve
  /** Runs the commands of events; without it a scenario with events is refused. */
  readonly runCommand?: CommandRunner
  readonly resumed?: Pick<ResumedRun, 'earlier' | 'elapsedMs' | 'exchanges' | 'spent'>
}

/** For a run that writes nothing: its evidence stays in memory until it is judged. */
const noJournal: Journal = { write: () => {}, keep: () => {}, close: () => {} }

const openJournalOrRefuse = (out: string | undefined, name: string, open: (folder: string) => Journal): Journal => {
  if (out === undefined) return noJournal
  try {
    return open(out)
  } catch (error) {
    throw new UsageError(`${name} ${out}: can't be written (${whyOf(error)}); name another folder`)
  }
}

const remarksOn = (baseUrl: string, pinned: PinnedAddress, tls: Safety['tls']): string[] => {
  const { hostname } = new URL(baseUrl)
  const isNamed = !('error' in pinned) && !hostname.includes(pinned.address)
  return present(
    isNamed && `this machine resolved ${hostname} once, to ${pinned.address}`,
    tls.insecure && 'NO CERTIFICATE WAS CHECKED (--insecure): anybody may have answered',
  )
}

/** What is needed to reach a target: its address, looked up once, and its keys, which stay out of every record. */
export const reachTarget = async (
  run: Pick<RunHead, 'baseUrl' | 'seed' | 'contract'>,
  keys: readonly GivenKey[],
  { limits, tls }: Safety,
  resolve?: Resolve,
) => {
  const { baseUrl } = run
  const redactor = createRedactor(interfaceText)
  const secrets = new Map(keys.map(({ name, secret }) => [name, secret]))
  const { credentials: agreed } = contractOf({ ...run, keys })
  const credentials = createCredentials(secrets, redactor, seededRandom(run.seed ^ 0x5eed), agreed)
  const pinned = await pinAddress(baseUrl, { withinMs: limits.connectMs, resolve })
  const usual = { baseUrl, credentials, redactor, clock: systemClock, limits, pinned, ...tls }
  const openSender = (record: (x: Exchange) => void, startedAt: number, sentBefore?: number): ExchangeSender =>
    createExchangeSender({ ...usual, record, startedAt, sentBefore })
  return { redactor, credentials, pinned, openSender }
}

const eventsOf = (
  { scenario: { events, file } }: PreparedRun,
  run: CommandRunner | undefined,
  fleet: Fleet | undefined,
): RunSetup['events'] => {
  if (events.length === 0) return undefined
  if (run === undefined)
    throw new UsageError(`${file}: events: the library runs no commands: play this scenario with quotaspec run`)
  if (fleet) throw new UsageError(`${file}: events: they work only in loads that this machine sends: remove --agents`)
  return { planned: events, run }
}

/** Plays a prepared run, and writes its journal to `out` as it goes. */
export const playPrepared = async (
  prepared: PreparedRun,
  { out, interrupt, watch, resolve, resumed, fleet, runCommand }: RunExecution,
): ReturnType<typeof playRun> => {
  const events = eventsOf(prepared, runCommand, fleet)
  const { head, keys, scheduled, scenario, options } = prepared
  const { tls } = prepared.safety
  const clock = systemClock
  if (!fleet && scheduled.some(({ probe }) => probe.isLoad)) await loadTheGenerator()
  const { redactor, credentials, pinned, openSender } = await reachTarget(head, keys, prepared.safety, resolve)
  // The run's time zero: now, or the moment at which the resumed run began.
  const startedAt = clock.monotonicMs() - (resumed?.elapsedMs ?? 0)
  const agents = fleet?.members.map(({ card, group }) => ({ name: card.name, group, target: card.target }))
  const begun = { wallStartMs: clock.wallMs(), machineMs: machineMs(), ...(agents && { agents }) }
  const started = resumed ? head : { ...head, ...begun }
  const journal = openJournalOrRefuse(out, prepared.nameOf('out'), resumed ? reopenJournal : openJournal)
  try {
    const setup: RunSetup = {
      ...prepared.safety,
      head: started,
      scheduled,
      journal,
      openSender: (record) => openSender(record, startedAt, resumed?.exchanges),
      redactor,
      credentialOf: (key) => credentials.render({ form: 'agreed', key }),
      clock,
      startedAt,
      interrupt,
      // Load needs no permission if both the name and its looked-up address stay on this machine.
      loadAllowed: !head.withoutLoad && (options.allowLoad || (isLoopback(head.baseUrl) && isHere(pinned))),
      pinnedAddress: 'error' in pinned ? undefined : pinned.address,
      ceilings: scenario.limits,
      events,
      earlier: resumed?.earlier,
      remarks: [
        ...present(
          resumed && `the run continues where it stopped: ${resumed.spent} requests of the day were sent before`,
        ),
        ...prepared.remarks,
        ...remarksOn(head.baseUrl, pinned, tls),
      ],
      watch,
    }
    return await playRun(fleet ? sentByAgents(setup, fleet) : setup)
  } finally {
    journal.close()
  }
}
