import type { ApiContract, QuotaSpec } from './api-contract.js'
import { windowOfQuota } from './partitions.js'

/** The quotas that a request for this one counts against too. */
export const quotasBeside = ({ quotas }: ApiContract, quota: QuotaSpec): QuotaSpec[] =>
  quotas.filter(
    (other) =>
      other.id !== quota.id &&
      other.requests.some((request) => quota.requests.includes(request)) &&
      Object.keys(other.limit).some((credential) => Object.hasOwn(quota.limit, credential)),
  )

/** What a quota allows a credential in each of its own windows. At one address credentials may share the lowest limit. */
const limitOf = ({ by, limit }: QuotaSpec, credential: string): number =>
  by !== 'address' && Object.hasOwn(limit, credential) ? limit[credential] : Math.min(...Object.values(limit))

/**
 * How much the shorter quotas beside let a credential send in one window of this one, whatever the time scale: 10 in 2 s
 * are 60 in 12 s. Infinity where none is shorter.
 */
export const mostBeside = (contract: ApiContract, quota: QuotaSpec, credential: string): number => {
  const lengthMs = windowOfQuota(quota, 1)
  const allowed = quotasBeside(contract, quota)
    .filter((other) => windowOfQuota(other, 1) < lengthMs)
    .map((other) => (limitOf(other, credential) * lengthMs) / other.windowMs)
  return Math.min(Number.POSITIVE_INFINITY, ...allowed)
}
