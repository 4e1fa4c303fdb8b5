import { onceFor } from '../../kit/once-for.js'
import type { ApiContract, ContractRequest, CredentialSpec, QuotaSpec } from '../api-contract.js'
import { headerPresets } from '../header-presets.js'
import { modelNames } from '../limiter-models.js'
import { fixedQuotas, type Quota, type WindowName, windowLengthMs } from '../plans.js'
import { type Operation, operations, pathOf } from './operations.js'

const requestOf = ({ id, method, statuses }: Operation): ContractRequest => ({
  method,
  path: pathOf(id),
  headers: {},
  expect: statuses.filter((status) => status < 300),
  statuses: [...statuses],
})

const credentialOf = (key: string): CredentialSpec => ({
  scheme: 'bearer',
  env: `QUOTASPEC_KEY_${key.toUpperCase().replace('-', '_')}`,
})

/** Each key has its own count, and every operation counts; loads list the inventory. */
const quotaOf = (window: WindowName, limits: Readonly<Record<string, Quota>>): QuotaSpec => ({
  id: window,
  by: 'credential',
  limit: Object.fromEntries(Object.entries(limits).map(([key, quota]) => [key, quota[window]])),
  windowMs: windowLengthMs(window),
  requests: Object.keys(operations),
  models: [...modelNames],
  exact: { over: 0, early: 0 },
  cost: {},
  level: 'must',
})

/** The Petstore Service Interface as a contract, for keys with these limits: a quota per minute and one per day. */
const petstoreFor = (limits: Readonly<Record<string, Quota>>): ApiContract => ({
  name: 'petstore',
  credentials: Object.fromEntries(Object.keys(limits).map((key) => [key, credentialOf(key)])),
  requests: Object.fromEntries(Object.values(operations).map((operation) => [operation.id, requestOf(operation)])),
  headers: headerPresets['x-ratelimit-epoch'].map((field) => ({ ...field, single: true })),
  retryAfter: { as: ['seconds', 'http-date'], level: 'must' },
  refusals: [
    { is: 'quota', status: [429], when: {} },
    { is: 'ban', status: [403], when: {} },
  ],
  quotas: [quotaOf('minute', limits), quotaOf('day', limits)],
  agreedPlans: ['enterprise'],
})

/** Whether a plan's limit is agreed per customer: then QUOTA-5 covers it, and no clause about fixed limits does. */
export const isAgreedPlan = (run: HeldTo, plan: string): boolean => contractOf(run).agreedPlans?.includes(plan) === true

/** The Petstore Service Interface as a contract, with its fixed plans. Enterprise quotas are options of each run. */
export const petstore: ApiContract = petstoreFor(fixedQuotas)

interface HeldTo {
  readonly contract?: ApiContract
  readonly keys: readonly {
    readonly name: string
    readonly quota: { readonly limit: number; readonly longer: number }
  }[]
}

const petstoreOf = onceFor((keys: HeldTo['keys']) =>
  petstoreFor(
    Object.fromEntries(keys.map(({ name, quota: { limit, longer } }) => [name, { minute: limit, day: longer }])),
  ),
)

/** The contract that judges a run: its own, or the Petstore's for its keys. */
export const contractOf = ({ contract, keys }: HeldTo): ApiContract => contract ?? petstoreOf(keys)

/** A request as loads send it, without its credential. */
type AskedRequest = Pick<ContractRequest, 'method' | 'path' | 'headers' | 'body'>

/** The request that a load sends: the contract's request of this name, or its first quota's first. */
export const askedRequest = (contract: ApiContract = petstore, name: string | null): AskedRequest => {
  const asked = contract.requests[name ?? contract.quotas[0].requests[0]]
  if (!asked) throw new Error(`the contract ${contract.name} has no request ${name}`)
  return asked
}
