import type { ApiContract, QuotaSpec } from '../../contract/api-contract.js'
import { countsByRequest } from '../../contract/partitions.js'

/** Whether the request that rows and loads are made of costs one, whatever others cost. */
export const ordinaryCostsOne = (_contract: ApiContract, quota: QuotaSpec): boolean =>
  (countsByRequest(quota) ? quota.requests : quota.requests.slice(0, 1)).every(
    (request) => (quota.cost[request] ?? 1) === 1,
  )

/** Whether all requests cost one: where they cost different amounts, what remains may fall by any of them. */
export const allCostOne = (_contract: ApiContract, { cost }: QuotaSpec): boolean =>
  Object.values(cost).every((each) => each === 1)
