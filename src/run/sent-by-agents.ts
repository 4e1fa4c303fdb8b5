import type { RunHead } from '../evidence/journal.js'
import type { Generator } from '../wire/load/load-order.js'
import { localGenerator } from './playing/local-generator.js'
import type { Progress } from './playing/run-log.js'
import type { RunSetup } from './run-setup.js'

/** Machines that send the loads of a run in its place. */
export interface Fleet {
  readonly members: readonly {
    readonly group: string
    readonly card: { readonly name: string; readonly target: string }
  }[]
  /** What puts loads on the target by them, for a run that began at this moment of its clock. */
  generator(startedAt: number): Generator
  /** To be told of each agent as it sends, and when it is lost. */
  watch(listener: (state: Omit<Extract<Progress, { kind: 'agent' }>, 'kind' | 'at'>) => void): void
}

/** The agents as the head of a run names them; nothing where there are none. */
export const agentsIn = (fleet: Fleet | undefined): Pick<RunHead, 'agents'> =>
  fleet ? { agents: fleet.members.map(({ card, group }) => ({ name: card.name, group, target: card.target })) } : {}

/**
 * The run with its loads sent by agents. A quota that counts by address is spent from this machine all the same: its
 * single requests come from here, and at another address they would meet another quota.
 */
export const sentByAgents = (setup: RunSetup, fleet: Fleet): RunSetup => {
  const { head, startedAt, clock, watch } = setup
  const distributed = fleet.generator(startedAt)
  const local = localGenerator(setup)
  const isByAddress = (id: string | null) => head.contract?.quotas.find((quota) => quota.id === id)?.by === 'address'
  const generator: Generator = (order, each) => (isByAddress(order.quota) ? local : distributed)(order, each)
  fleet.watch((state) => watch({ kind: 'agent', at: clock.monotonicMs() - startedAt, ...state }))
  const byAddress = (head.contract?.quotas ?? []).filter(({ id }) => isByAddress(id)).map(({ id }) => id)
  const remarks = byAddress.map((id) => `the quota ${id} counts by address: it is spent from this machine, by no agent`)
  return { ...setup, generator, remarks: [...(setup.remarks ?? []), ...remarks] }
}
