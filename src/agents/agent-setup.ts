import type { ApiContract } from '../contract/api-contract.js'
import { askedRequest } from '../contract/petstore/petstore.js'
import { interfaceText } from '../contract/petstore/schemas.js'
import { createRedactor } from '../evidence/redaction.js'
import type { Clock } from '../kit/clock.js'
import { seededRandom } from '../kit/random.js'
import { loadReading } from '../readings/load-reader.js'
import { createCredentials } from '../wire/http/credentials.js'
import { pinAddress } from '../wire/http/pin-address.js'
import { type LoadOrder, type LoadResult, type LoadWatch, loadSpecOf } from '../wire/load/load-order.js'
import { runLoad } from '../wire/load/run-load.js'
import type { RateGuard } from './allowance.js'
import type { Wire } from './messages.js'
import type { SlotJournal } from './slot-journal.js'

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

/** What an agent takes part in a run with. */
export interface MembershipSetup extends AgentSetup {
  readonly run: string
  readonly runContract: ApiContract | undefined
  readonly keys: readonly AgentKey[]
  readonly loads: AgentLoads
  readonly mayLoadNow: boolean
  /** Requests that the agent has promised in all its runs. */
  readonly promised: { count: number }
  readonly guard: RateGuard | undefined
}

/** What an agent's loads are sent with: its own target, and what it trusts. */
interface AgentMeans {
  readonly target: string
  readonly clock: Clock
  readonly tls: { readonly ca?: string; readonly insecure?: boolean }
  /** How long the target's name may take to be resolved, in milliseconds. */
  readonly resolveWithinMs: number
}

/**
 * Makes the loads of a run: to the agent's own target, whose address is taken once, with the keys of its own
 * environment. Its redactor knows these, so that no answer that repeats a key leaves the agent with it.
 */
export const agentLoads =
  ({ target, clock, tls, resolveWithinMs }: AgentMeans): AgentSetup['loadsFor'] =>
  async (contract, timeScale, keys) => {
    const redactor = createRedactor(interfaceText)
    const secrets = new Map(keys.map(({ name, secret }) => [name, secret]))
    // No random credential is made here: those are for single requests.
    const credentials = createCredentials(secrets, redactor, seededRandom(0), contract?.credentials)
    const pinned = await pinAddress(target, { withinMs: resolveWithinMs })
    const pinnedAddress = 'error' in pinned ? undefined : pinned.address
    return {
      send(order, { beginAtMs, ...watch }) {
        const means = {
          baseUrl: target,
          asked: askedRequest(contract, order.request),
          credential: credentials.render({ form: contract ? 'agreed' : 'bearer', key: order.key }),
          reading: loadReading(contract, timeScale, order),
          redactor,
          tls,
          pinnedAddress,
        }
        return runLoad({ ...loadSpecOf(order, means, watch), beginAtMs }, clock, 0)
      },
    }
  }
