import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import { modelNames } from '../contract/limiter-models.js'
import { quotasBeside, windowOfQuota } from '../contract/partitions.js'
import type { QuotaWindow } from '../contract/plans.js'
import { outcomes } from '../readings/history.js'
import { namesStatus, refusalRules } from '../readings/refusals.js'
import { anything } from './rows.js'

/** An outcome of a request for one quota, besides {@link outcomes}: a refusal that may have another cause. */
export const someRefusal = 4
/** Nobody answered, or a gateway did: the request may be decided later. */
export const openEnded = 5

const statuses = 1000

/** Statuses that a proxy logs if its client disconnected or nobody answered in time. */
const unanswered: ReadonlySet<number> = new Set([0, 408, 499])

export type CountedQuota = ReturnType<typeof countedQuota>

/** Works out what each request and status of a line means for a quota of a contract. */
export const countedQuota = (contract: ApiContract, quota: QuotaSpec) => {
  const names = Object.keys(contract.requests)
  const rules = refusalRules(contract)
  const isShared = quotasBeside(contract, quota).length > 0
  const outcomeFor = (name: string, status: number): number => {
    if (!quota.requests.includes(name)) return outcomes.excused
    const rule = rules.find((each) => namesStatus(each, status))
    const expected = contract.requests[name].expect
    const isServed = expected.length === 0 ? status >= 200 && status < 300 : expected.includes(status)
    if (rule === undefined) {
      if (isServed) return outcomes.admitted
      return status >= 500 || unanswered.has(status) ? openEnded : outcomes.unknown
    }
    // A log line lacks the headers and body that the rule needs.
    const isTold = rule.body === undefined && Object.keys(rule.when).length === 0
    if (isServed || rule.is !== 'quota') return outcomes.unknown
    return !isTold || isShared || rule.lastsMs !== undefined ? someRefusal : outcomes.refused
  }
  const table = names.map((name) => Uint8Array.from({ length: statuses }, (_, status) => outcomeFor(name, status)))
  const costs = names.map((name) => quota.cost[name] ?? 1)
  const hasCosts = costs.some((each) => each !== 1)
  // A request that the log does not identify counts for certain only if all requests count alike.
  const areAlike =
    names.length === 1 ||
    (quota.by !== 'credential+request' && !hasCosts && names.every((name) => quota.requests.includes(name)))
  const ofAny = areAlike ? table[names.indexOf(quota.requests[0])] : undefined
  const windowFor = (limit: number): QuotaWindow => ({
    limit,
    windowMs: quota.windowMs,
    models: quota.models.length < modelNames.length ? quota.models : undefined,
    burst: quota.burst,
    exact: quota.exact,
  })
  const credentials = Object.keys(contract.credentials)
  const limits = Object.entries(quota.limit).toSorted(([, a], [, b]) => b - a)
  const [[mostName, mostLimit]] = limits
  const agreed = credentials.map((name) =>
    Object.hasOwn(quota.limit, name) ? { name, window: windowFor(quota.limit[name]) } : undefined,
  )
  return {
    quota,
    windowMs: windowOfQuota(quota, 1),
    hasCosts,
    /** Whether every refusal may come from another quota, a ban or a block: no line tells. */
    refusalsMeanLittle: !table.some((each) => each.includes(outcomes.refused)),
    outcomeOf: (request: number, status: number): number => {
      const known = request === anything ? ofAny : table[request]
      if (known) return known[status]
      // A request that the contract does not name may still count.
      return status >= 500 || unanswered.has(status) ? openEnded : outcomes.unknown
    },
    costOf: (request: number): number => (request >= anything ? 1 : costs[request]),
    /** The limit of a credential, by index; undefined if it has none in this quota. */
    agreedFor: (plan: number): (typeof agreed)[number] => agreed[plan],
    /** The highest limit, for clients whose plan the log does not show. */
    most: { name: mostName, window: windowFor(mostLimit), isSole: limits.length === 1 },
  }
}
