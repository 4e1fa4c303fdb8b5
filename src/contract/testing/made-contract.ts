import type { ApiContract, QuotaSpec } from '../api-contract.js'

/** A quota of 60 a minute for the credential `free` on the request `items`; `given` overrides fields. */
export const madeQuota = (given: Partial<QuotaSpec> = {}): QuotaSpec => ({
  id: 'core',
  by: 'credential',
  limit: { free: 60 },
  windowMs: 60_000,
  requests: ['items'],
  models: ['fixed-window'],
  exact: { over: 0, early: 0 },
  cost: {},
  level: 'must',
  ...given,
})

/** A contract with only these quotas. */
export const madeContract = (...quotas: QuotaSpec[]): ApiContract => ({
  name: 'acme',
  credentials: {},
  requests: {},
  headers: [],
  retryAfter: null,
  refusals: [],
  quotas,
})
