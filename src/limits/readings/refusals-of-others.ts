import type { ApiContract, QuotaSpec } from '../../contract/any/api-contract.js'
import type { Evidence } from '../../evidence/evidence.js'

/** The refusals that another quota of the contract may have given, as the texts of their witnesses. */
export const refusalsOfOthers = (_evidence: Evidence, _contract: ApiContract, _quota: QuotaSpec): ReadonlySet<string> =>
  new Set()
