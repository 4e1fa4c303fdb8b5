import type { ApiContract } from '../contract/api-contract.js'
import type { Clock } from '../kit/clock.js'
import type { LoadOrder, LoadWatch } from '../wire/load/load-order.js'
import type { LoadResult } from '../wire/load/load-spec.js'
import type { SlotJournal } from './slot-journal.js'
import type { Wire } from './wire.js'

/** A key of an agent's own environment; `mark` is a byte of its hash. */
export interface AgentKey {
  readonly name: string
  readonly secret: string
  readonly mark: number
}

/** What a run needs of an agent's load generator, made when the agent joins it. */
export interface AgentLoads {
  /** Sends a load; its rows are in microseconds of the agent's own clock. */
  send(order: LoadOrder, watch: LoadWatch & { readonly beginAtMs?: number }): Promise<LoadResult>
}

/** What an agent was started with. */
export interface AgentSetup {
  readonly name: string
  /** Made anew with each start, so that nothing that was meant for another process comes to this one. */
  readonly instance: string
  readonly wire: Wire
  readonly clock: Clock
  readonly journal: SlotJournal
  /** The address that it sends to, and that of the runs that it takes part in. */
  readonly target: string
  readonly runsOn: string
  readonly mayLoad: () => Promise<boolean>
  /** The contract that it was given; a run with another one is declined. */
  readonly contract?: ApiContract
  /** The keys that are at hand. Throws where one is no good. */
  readonly keysFor: (contract: ApiContract | undefined) => readonly AgentKey[]
  readonly loadsFor: (
    contract: ApiContract | undefined,
    timeScale: number,
    keys: readonly AgentKey[],
  ) => Promise<AgentLoads>
  readonly mostRequests?: number
  readonly mostPerSecond?: number
  /** Whether it ends with its first run. */
  readonly once: boolean
  readonly say: (text: string) => void
}
