import { listInWords } from '../../kit/words.js'
import type { ApiContract, Exactness, QuotaSpec } from '../api-contract.js'
import { bucketModels, type ModelName, modelNames } from '../limiter-models.js'
import { countsByAddress, countsByRequest } from '../partitions.js'
import type { ContractFile } from './contract-file-schema.js'
import { knownOr, refused } from './refused.js'

type Entry = ContractFile['quotas'][number]
type Known = Pick<ApiContract, 'credentials' | 'requests' | 'headers'>

const exactnessOf = (exact: Entry['exact']): Exactness => {
  if (exact === true) return { over: 0, early: 0 }
  if (exact === 'at-most') return { over: 0, early: null }
  if (exact === 'at-least') return { over: null, early: 0 }
  return { over: exact.over === 'any' ? null : exact.over, early: exact.early === 'any' ? null : exact.early }
}

const settleLimit = ({ limit, by }: Entry, path: PropertyKey[], known: Known) => {
  const names = Object.keys(known.credentials)
  if (typeof limit === 'number') return Object.fromEntries(names.map((name) => [name, limit]))
  for (const name of Object.keys(limit)) knownOr([...path, 'limit', name], 'credential', name, names)
  const limits = new Set(Object.values(limit))
  if (limits.size === 0) throw refused([...path, 'limit'], 'names no credential: write a number for all of them')
  if (countsByAddress({ by }) && limits.size > 1) {
    throw refused(
      [...path, 'limit'],
      'has several limits, but an address has one count whatever credential it shows: write one number, or by: credential',
    )
  }
  return limit
}

const settleModels = ({ models, burst }: Entry, limit: Record<string, number>, path: PropertyKey[]): ModelName[] => {
  const settled = models === 'any' ? [...modelNames] : models
  if (burst === undefined) return settled
  const others = settled.filter((model) => !bucketModels.includes(model))
  if (others.length > 0) {
    const have = `${listInWords(others)} ${others.length === 1 ? 'has' : 'have'} none: write`
    const why = models === 'any' ? 'models: any allows others: add' : have
    throw refused([...path, 'burst'], `belongs to a bucket, and ${why} models: [token-bucket, gcra]`)
  }
  if (new Set(Object.values(limit)).size === 1) return settled
  throw refused(
    [...path, 'burst'],
    'is one for all credentials, and their limits differ: write a quota for each of them',
  )
}

const checkRequests = ({ requests, by }: Entry, path: PropertyKey[], known: Known): void => {
  const routes = new Map<string, string>()
  for (const [index, name] of requests.entries()) {
    const at = [...path, 'requests', index]
    knownOr(at, 'request', name, Object.keys(known.requests))
    if (requests.indexOf(name) < index) throw refused(at, `names ${name} a second time: remove it`)
    const { method, path: target, body } = known.requests[name]
    const route = `${method} ${target.split('?')[0]}`
    const other = routes.get(route)
    if (countsByRequest({ by }) && body === undefined && other !== undefined)
      throw refused(at, `asks for ${route} as ${other} does, and both would count as one: leave one of the two out`)
    routes.set(route, name)
  }
}

const checkCost = (entry: Entry, path: PropertyKey[], limit: Record<string, number>, requests: string[]): void => {
  for (const [request, cost] of Object.entries(entry.cost ?? {})) {
    const at = [...path, 'cost', request]
    if (!entry.requests.includes(request)) {
      knownOr(at, 'request', request, requests)
      throw refused(at, 'is not a request of this quota: add it to its requests, or remove its cost')
    }
    const least = entry.burst ?? Math.min(...Object.values(limit))
    if (cost > least)
      throw refused(at, `costs ${cost}, more than the limit of ${least}: no such request could be admitted`)
  }
}

const namesPolicies = ({ headers }: Known): boolean =>
  headers.some(({ is }) => is === 'draft-11' || is === 'draft-11-policy')

const limitsOf = ({ limit }: Entry): number[] => (typeof limit === 'number' ? [limit] : Object.values(limit))

/** An earlier quota whose policy looks the same in a response: same name, window and a common limit. */
const alike = (quotas: readonly Entry[], index: number): Entry | undefined => {
  const { window, policy, requests } = quotas[index]
  return quotas
    .slice(0, index)
    .find(
      (each) =>
        each.window === window &&
        each.policy === policy &&
        each.requests.some((request) => requests.includes(request)) &&
        limitsOf(each).some((limit) => limitsOf(quotas[index]).includes(limit)),
    )
}

/** The quotas of a contract, settled. Throws if a quota names something undefined, or promises the impossible. */
export const settleQuotas = ({ quotas }: ContractFile, known: Known): QuotaSpec[] =>
  quotas.map((entry, index) => {
    const path = ['quotas', index]
    const earlier = quotas.findIndex(({ id }) => id === entry.id)
    if (earlier < index)
      throw refused([...path, 'id'], `${entry.id} is the id of quotas.${earlier}, too: give it another`)
    const limit = settleLimit(entry, path, known)
    checkRequests(entry, path, known)
    const models = settleModels(entry, limit, path)
    checkCost(entry, path, limit, Object.keys(known.requests))
    const exact = exactnessOf(entry.exact)
    if (exact.over === null && exact.early === null)
      throw refused([...path, 'exact'], 'promises nothing on either side: give one of over and early a share')
    if (entry.policy !== undefined && !namesPolicies(known))
      throw refused([...path, 'policy'], 'is named in no header: leave it out, or write headers: draft-11')
    if (entry.trusts !== undefined && !countsByAddress(entry))
      throw refused([...path, 'trusts'], 'goes only with by: address: remove it')
    const other = namesPolicies(known) ? alike(quotas, index) : undefined
    if (other) {
      throw refused(
        path,
        `looks the same as ${other.id} in headers, because window and limit are the same: give each its policy`,
      )
    }
    return {
      id: entry.id,
      by: entry.by,
      ...(entry.trusts === undefined ? {} : { trusts: entry.trusts }),
      limit,
      windowMs: entry.window,
      requests: entry.requests,
      models,
      ...(entry.burst === undefined ? {} : { burst: entry.burst }),
      exact,
      cost: entry.cost ?? {},
      level: entry.level,
      ...(entry.policy === undefined ? {} : { policy: entry.policy }),
    }
  })
