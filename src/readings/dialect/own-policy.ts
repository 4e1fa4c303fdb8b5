import type { QuotaSpec } from '../../contract/api-contract.js'
import { numberOf } from '../header-values.js'
import type { Policy } from './structured-limits.js'

/** As much of a quota as tells which policy of an answer is its own. */
export type PolicyOwner = Pick<QuotaSpec, 'policy' | 'windowMs' | 'limit'>

/** What a window in seconds may differ from the quota's, in milliseconds: no answer writes it in more than three decimals. */
const roundingMs = 0.5

const hasWindow =
  (windowMs: number) =>
  ({ window }: Policy): boolean =>
    window !== undefined && Math.abs(window * 1000 - windowMs) <= roundingMs

/**
 * The policy of an answer that is the quota's: the one that it names; else the one with its window, and of several with
 * that window the one with one of its limits; else the only one. Policies that count something else than requests
 * (`qu`) are the quota's only where it names them. Undefined where none is, or where nothing tells which.
 */
export const ownPolicy = (
  policies: readonly Policy[],
  { policy, windowMs, limit }: PolicyOwner,
): Policy | undefined => {
  const named = policies.some(({ name }) => name !== undefined)
  if (policy !== undefined && named) return policies.find(({ name }) => name === policy)
  const requests = policies.filter(({ unit }) => unit === 'requests')
  const windowed = requests.filter(hasWindow(windowMs))
  if (windowed.length === 1) return windowed[0]
  const limits = new Set(Object.values(limit))
  const limited = windowed.filter(({ quota }) => limits.has(numberOf(quota) ?? Number.NaN))
  if (limited.length === 1) return limited[0]
  return policies.length === 1 ? requests[0] : undefined
}
