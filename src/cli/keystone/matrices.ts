import type { ApiContract } from '../../contract/api-contract.js'
import { matrixOf, renderContractMatrix, renewContractMatrix } from './contract-matrix.js'
import { contractTrials } from './contract-trials.js'
import { type KeystoneRow, unkilledChecks } from './keystone.js'
import { renderKillMatrix, renewKillMatrix } from './kill-matrix.js'
import { isAskedFor, type PlannedTrial, plannedTrials } from './trials.js'

/** Whose faults are played, and the page that tells what came out. */
export interface Matrix {
  /** The trials with these ids, or that break these clauses, in the order of the catalogues; no ids stand for all. */
  trials(ids: readonly string[]): readonly PlannedTrial[]
  /** The page with all rows new; of a saved one what is not this matrix stays. */
  render(saved: string, rows: readonly KeystoneRow[]): string
  /** The page with a few rows renewed, or added at their place. */
  renew(saved: string, rows: readonly KeystoneRow[]): string
  /** The part of a page that is this matrix. */
  partOf(page: string): string
  /** Checks that no fault has brought down, where every one of them has to be. */
  unkilled(rows: readonly KeystoneRow[]): readonly string[]
  /** What renews a page that is stale. */
  readonly renewal: (file: string) => string
}

const idsOf = (trials: readonly PlannedTrial[]): string[] => trials.map(({ id }) => id)

/** The matrix of the bundled interface. */
export const petstoreMatrix: Matrix = {
  trials: plannedTrials,
  render: (_, rows) => renderKillMatrix(rows),
  renew: (saved, rows) => renewKillMatrix(saved, rows, idsOf(plannedTrials([]))),
  partOf: (page) => page,
  unkilled: unkilledChecks,
  renewal: (file) => `npm run keystone -- --write ${file}`,
}

/** The matrix of a contract; a contract does not let every fault happen, so that some checks may find none. */
export const contractMatrix = (contract: ApiContract): Matrix => {
  const { name } = contract
  const all = contractTrials(contract)
  return {
    trials: (ids) => all.filter((trial) => isAskedFor(trial, ids)),
    render: (saved, rows) => renderContractMatrix(saved, name, rows),
    renew: (saved, rows) => renewContractMatrix(saved, name, rows, idsOf(all)),
    partOf: (page) => matrixOf(page, name),
    unkilled: () => [],
    renewal: (file) => `quotaspec faults --run --contract FILE --write ${file}`,
  }
}
