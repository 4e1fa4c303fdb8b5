import type { ApiContract } from '../../contract/api-contract.js'
import { atScale, contractForQuota } from '../../contract/partitions.js'
import type { LedgerRow } from '../../evidence/ledger.js'
import { statusOfRow } from '../../oracle/views/canonical-answers.js'
import { type RowReader, rowReader } from './row-reader.js'

/** How the answers of a load are read into rows, and the status of a row as the engine knows it. */
export interface LoadReading extends Partial<RowReader> {
  readonly statusOf: (row: LedgerRow) => number
}

/**
 * How answers to a load for one quota of a contract are read; as the bundled contract's are where there is no quota.
 *
 * @param request the request that it sends, by its name in the contract.
 */
export const loadReading = (
  contract: ApiContract | undefined,
  timeScale: number,
  { quota, request }: { readonly quota: string | null; readonly request: string | null },
): LoadReading => {
  const spec = contract?.quotas.find(({ id }) => id === quota)
  if (!contract || !spec) return { statusOf: ({ status }) => status }
  const asked = contract.probes[request ?? spec.probes[0]]
  return {
    ...rowReader(contractForQuota(contract, spec), atScale(spec, timeScale)),
    statusOf: (row) => statusOfRow(row, asked),
  }
}
