import { isLate, type Ledger } from '../../evidence/ledger.js'
import type { LoadResult } from '../../load/load-spec.js'

/** Whose load it is: the id of its ledger, the probe, and the name of the key. */
export interface LoadOwner {
  readonly ledger: string
  readonly probe: string
  readonly key: string
  /** The request and the quota of a contract file. */
  readonly operation?: string
  readonly quota?: string
}

/** The record of a load that has ended, with how it kept its plan and for how long this process stood still. */
export const ledgerOf = (owner: LoadOwner, result: LoadResult, stoodStillMs: number): Ledger => {
  const { planned, sent, answered, errors, timeouts, lost, samples, scheduleErrorMs, problem, rows } = result
  return {
    head: {
      id: owner.ledger,
      probe: owner.probe,
      key: owner.key,
      ...(owner.quota === undefined ? {} : { operation: owner.operation, quota: owner.quota }),
      phases: [{ name: 'load', fromRow: 0, startUs: rows.length > 0 ? rows.sentUs[0] : 0 }],
      samples: [...samples],
      counts: { planned, sent, answered, errors, timeouts, lost },
      scheduleErrorMs,
      stoodStillMs,
      problem,
    },
    rows,
  }
}

/** What is to be said of a load that was not sent as planned; null where it was. */
export const latenessOf = ({ head }: Ledger): string | null =>
  isLate(head)
    ? `${head.id} was not sent as planned (p99 ${head.scheduleErrorMs?.p99.toFixed(0)} ms late): its schedule proves nothing`
    : null
