import { askedRequest } from '../contract/asked-request.js'
import { interfaceText } from '../contract/plain-text.js'
import { createRedactor } from '../evidence/redaction/redaction.js'
import type { Clock } from '../kit/clock.js'
import { seededRandom } from '../kit/random.js'
import { loadReading } from '../readings/load-reader.js'
import { createCredentials } from '../wire/http/credentials.js'
import { pinAddress } from '../wire/http/pin-address.js'
import { loadSpecOf } from '../wire/load/load-means.js'
import { runLoad } from '../wire/load/run-load.js'
import type { AgentSetup } from './agent-setup.js'

/** What an agent's loads are sent with: its own target, and what it trusts. */
export interface AgentMeans {
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
