import type { ApiContract } from '../../src/contract/api-contract.js'
import { createMemoryStore } from '../metering/memory-store.js'
import type { Ruling } from '../metering/ruling.js'
import type { Charge, Counting } from '../stores/shared-store.js'
import type { ContractBehaviour } from './behaviour/contract-behaviour.js'
import { quotaLimiters } from './charging/quota-charges.js'
import { type ContractServerOptions, contractSettingsOf } from './contract-options.js'

/** The atomic step over all that a request is charged to. */
export type Judge = (charges: readonly Charge[], nowMs: number) => Ruling | Promise<Ruling>

/** Counts in this process, as the behaviour says. */
export const judgeInMemory = ({ openMeter, decide }: ContractBehaviour): Judge => {
  const store = createMemoryStore({ openMeter })
  return (charges, nowMs) => {
    const tallies = store.talliesOf(
      charges.map(({ subject }) => subject),
      nowMs,
    )
    return decide(
      tallies.map((tally, index) => ({ tally, cost: charges[index].cost })),
      nowMs,
    )
  }
}

/** How the quotas of a contract count, for a store that several servers share. */
export const countingOf = (contract: ApiContract, options: ContractServerOptions): Counting => {
  const settings = contractSettingsOf(options)
  const limiters = quotaLimiters(contract, settings)
  return {
    scope: contract.name,
    algorithms: [...limiters.values()],
    algorithmOf: (name) => limiters.get(name) ?? 'fixed-window',
  }
}
