import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiContract } from '../contract/api-contract.js'
import { askedRequest } from '../contract/petstore/petstore.js'
import { interfaceText } from '../contract/petstore/schemas.js'
import { createRedactor } from '../evidence/redaction.js'
import type { Clock } from '../kit/clock.js'
import { seededRandom } from '../kit/random.js'
import { loadReading } from '../readings/load-reader.js'
import { createCredentials } from '../wire/http/credentials.js'
import { pinAddress } from '../wire/http/pin-address.js'
import { type LoadOrder, type LoadResult, type LoadSpec, type LoadWatch, loadSpecOf } from '../wire/load/load-order.js'
import { runLoad } from '../wire/load/run-load.js'
import type { Wire } from './messages.js'

/** The marks of one share: a byte for each slot, written just before its request goes out. */
export type SlotMarks = Exclude<ReturnType<SlotJournal['begin']>, { readonly marked: number }>

const mark = Buffer.from('+')

/** Opens the slot journal in a folder, which is created if missing. */
export const openSlotJournal = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const pathOf = (share: string) => join(folder, `${share}.slots`)
  return {
    /** Opens the marks of a share; if it was begun before, returns the number of marked slots. */
    begin(share: string) {
      let file: number
      try {
        file = openSync(pathOf(share), 'wx')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        return { marked: statSync(pathOf(share)).size }
      }
      return { mark: () => void writeSync(file, mark), close: () => closeSync(file) }
    },
    /** Forgets a share that will not be handed out again. */
    forget: (share: string): void => rmSync(pathOf(share), { force: true }),
  }
}

/** The slots that an agent has begun to send, on its disk: none is sent again, whichever process gets the share. */
export type SlotJournal = ReturnType<typeof openSlotJournal>

/** What an agent uses in a run: the contract and the keys of its own environment; `mark` is a byte of a key's hash. */
export interface RunMeans {
  readonly contract: ApiContract
  readonly keys: readonly { readonly name: string; readonly secret: string; readonly mark: number }[]
}

/** An agent's load generator for a run, made when the agent joins it. */
export interface AgentLoads {
  /** Sends a load; its rows are in microseconds of the agent's own clock. */
  send(order: LoadOrder, watch: LoadWatch & { readonly beginAtMs?: number }): Promise<LoadResult>
}

export interface AgentSetup {
  readonly name: string
  /** Unique to each start, so that this process gets no messages meant for another. */
  readonly instance: string
  readonly wire: Wire
  readonly clock: Clock
  readonly journal: SlotJournal
  /** The address that it sends to, and that of the runs that it takes part in. */
  readonly target: string
  readonly runsOn: string
  readonly mayLoad: () => Promise<boolean>
  /** The contract that it was given; it declines runs with another one. */
  readonly contract?: ApiContract
  /** The contract and keys for a run, by default with the bundled contract. Throws if a key is unusable. */
  readonly meansFor: (contract: ApiContract | undefined) => RunMeans
  readonly loadsFor: (means: RunMeans, timeScale: number) => Promise<AgentLoads>
  readonly mostRequests?: number
  readonly mostPerSecond?: number
  readonly once: boolean
  readonly say: (text: string) => void
}

/**
 * Makes the loads of a run: to the agent's own target, whose address is looked up once, with the keys of its own
 * environment. Its redactor knows these, so a response that repeats a key does not leave the agent with it.
 */
export const agentLoads =
  ({ target, clock, tls }: Pick<AgentSetup, 'target' | 'clock'> & Pick<LoadSpec, 'tls'>): AgentSetup['loadsFor'] =>
  async ({ contract, keys }, timeScale) => {
    const redactor = createRedactor(interfaceText)
    const secrets = new Map(keys.map(({ name, secret }) => [name, secret]))
    // Random credentials are only for single requests, so the seed does not matter.
    const credentials = createCredentials(secrets, redactor, seededRandom(0), contract.credentials)
    const pinned = await pinAddress(target)
    const pinnedAddress = 'error' in pinned ? undefined : pinned.address
    return {
      send(order, { beginAtMs, ...watch }) {
        const means = {
          baseUrl: target,
          asked: askedRequest(contract, order.request),
          credential: credentials.render({ form: 'agreed', key: order.key }),
          reading: loadReading(contract, timeScale, order),
          redactor,
          tls,
          pinnedAddress,
        }
        return runLoad({ ...loadSpecOf(order, means, watch), beginAtMs }, clock, 0)
      },
    }
  }
