import { type ApiContract, fieldsShowing, type QuotaSpec, type ResetUnit } from '../../src/contract/api-contract.js'

/** Whether moments are written in one of these units; those of the drafts are seconds from now. */
export const writesMoments =
  (...units: readonly ResetUnit[]) =>
  ({ headers }: ApiContract): boolean =>
    headers.some(({ is, as = 'epoch-s' }) => {
      if (is === 'reset') return units.includes(as)
      return (is === 'draft-07' || is === 'draft-11') && units.includes('delta-s')
    })

type OfQuotas = (contract: ApiContract) => boolean

/** Whether one more than the limit is too many in some quota, and with all limits so for some credential. */
export const judgesOneMore: OfQuotas = someQuota(({ exact: { over }, limit }) => fitsBelowOne(over, limit))

/** Whether one fewer is too few in some quota, and leaves something. */
export const judgesOneFewer: OfQuotas = someQuota(
  ({ exact: { early }, limit }) => fitsBelowOne(early, limit) && Object.values(limit).every((each) => each > 1),
)

/** Whether many too many, or far too early, would be held against some quota. */
export const judgesOver: OfQuotas = someQuota(({ exact }) => exact.over !== null && exact.over < 0.5)
export const judgesEarly: OfQuotas = someQuota(({ exact }) => exact.early !== null && exact.early < 0.5)

/** Whether some quota is a bucket's alone. */
export const bucketsOnly: OfQuotas = someQuota(({ models }) =>
  models.every((model) => model === 'token-bucket' || model === 'gcra'),
)

/** Whether in some quota a request may begin a window, whose end is shown. */
export const showsOpenedWindows: OfQuotas = (contract) =>
  fieldsShowing(contract, 'reset').length > 0 &&
  someQuota(({ models }) => models.includes('fixed-window-first-request'))(contract)

/** Whether some probe costs more than one. */
export const costsDiffer: OfQuotas = someQuota(({ cost, requests }) =>
  requests.some((request) => (cost[request] ?? 1) > 1),
)

/** Whether there is a quota of this kind to which a verdict belongs. */
export function someQuota(fits: (quota: QuotaSpec) => boolean): OfQuotas {
  return ({ quotas }) => quotas.some((quota) => quota.level !== 'observe' && fits(quota))
}

const fitsBelowOne = (share: number | null, limit: QuotaSpec['limit']) =>
  share !== null && Object.values(limit).some((each) => each * share < 1)
