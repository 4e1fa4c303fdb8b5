import {
  type ApiContract,
  fieldsShowing,
  type HeaderField,
  type QuotaSpec,
  waitName,
} from '../contract/api-contract.js'
import type { Exchange, HeaderLine } from '../evidence/exchange.js'
import {
  type AnswerReading,
  absent,
  fieldsByName,
  malformed,
  type NumberHeader,
  numberIn,
  numberOf,
  plainNumber,
  plainReset,
  readRetryAfter,
  usedOfLimit,
  valuesByName,
  waitUntilReset,
  withValue,
} from './limit-values.js'
import {
  type AnswerPolicies,
  limitDictionary,
  listedLimit,
  mayList,
  type PolicyOwner,
  policyReader,
  type ServiceLimit,
  serviceLimits,
} from './policies.js'
import { settledStatus } from './refusals.js'

type FieldReading = Partial<Omit<AnswerReading, 'retryAfter'>> & {
  readonly used?: NumberHeader
  /** The field does not have its expected form at all. */
  readonly unfit?: true
}

const fromNow = (seconds: NumberHeader): NumberHeader =>
  seconds.state === 'number' ? { ...seconds, from: 'now' } : seconds

const same = (one: ServiceLimit, other: ServiceLimit): boolean =>
  numberOf(one.remaining) === numberOf(other.remaining) && numberOf(one.reset) === numberOf(other.reset)

/** What `RateLimit` says about the quota's policy; if it lists several partition keys of one policy, only what all agree on. */
const ownService = (limits: readonly ServiceLimit[], { all, own }: AnswerPolicies, { policy }: PolicyOwner) => {
  const only = all.length === 0 && limits.every(({ name }) => name === limits[0].name) ? limits[0].name : undefined
  const name = policy ?? own?.name ?? only
  const mine = limits.filter((each) => each.name === name)
  return mine.every((each) => same(each, mine[0])) ? mine.at(0) : undefined
}

const readField = (
  field: HeaderField,
  values: readonly string[],
  policies: AnswerPolicies,
  owner: PolicyOwner,
): FieldReading => {
  switch (field.is) {
    case 'limit':
      return { limit: (mayList(field) && listedLimit(values)?.[0].quota) || plainNumber(values, !field.single) }
    case 'remaining':
      return { remaining: plainNumber(values, !field.single) }
    case 'used':
      return { used: plainNumber(values) }
    case 'used/limit':
      return usedOfLimit(values)
    case 'reset':
      return { reset: plainReset(values, field.as ?? 'epoch-s', !field.single) }
    case 'draft-07': {
      const said = limitDictionary(values)
      return said ? { ...said, reset: fromNow(said.reset) } : { ...unfit(values), limit: malformed(values) }
    }
    case 'draft-11': {
      const limits = serviceLimits(values)
      if (!limits) return unfit(values)
      const mine = ownService(limits, policies, owner)
      return mine ? { remaining: mine.remaining, reset: fromNow(mine.reset) } : {}
    }
    default:
      return {}
  }
}

const unfit = (values: readonly string[]): FieldReading => {
  const reading = malformed(values)
  return { remaining: reading, reset: reading, unfit: true }
}

const eachPart = (
  read: (part: 'limit' | 'remaining' | 'reset' | 'used') => NumberHeader | undefined,
): FieldReading => ({ limit: read('limit'), remaining: read('remaining'), reset: read('reset'), used: read('used') })

/** What the fields of one name say: fields of the expected form count, and of these the first number. */
const saidByName = (readings: readonly FieldReading[]): FieldReading => {
  const fitting = readings.filter(({ unfit }) => !unfit)
  return eachPart((part) => {
    const each = (fitting.length > 0 ? fitting : readings).map((reading) => reading[part])
    return each.find((one) => one?.state === 'number') ?? each.find((one) => one?.state === 'malformed')
  })
}

/** If several names say something, the first decides. */
const firstSaid = (names: readonly FieldReading[]): FieldReading =>
  eachPart((part) => names.find((each) => each[part])?.[part])

const left = (limit: NumberHeader, used: NumberHeader | undefined): NumberHeader => {
  if (used?.state !== 'number') return used ?? absent
  return limit.state === 'number' ? withValue(used, limit.value - used.value) : absent
}

/** What a contract says about its fields and, if known, its quotas. */
export type FieldsOfContract = Pick<ApiContract, 'headers'> &
  Partial<Pick<ApiContract, 'quotas' | 'retryAfter'>> & {
    /** A limit that shows an answer's fields to be about another quota; and whether nothing shows of which they are. */
    readonly limitsBeside?: ReadonlySet<number>
    readonly areOfAnyQuota?: boolean
  }

const limitsOfOthers = ({ quotas = [] }: FieldsOfContract, { id }: PolicyOwner): ReadonlySet<number> =>
  new Set(quotas.filter((quota) => quota.id !== id).flatMap(({ limit }) => Object.values(limit)))

/** Whether the limit that an answer shows belongs to another of its policies; then so do Remaining and Reset. */
const isOfAnother = (limit: NumberHeader, { all, own }: AnswerPolicies): boolean => {
  const value = numberOf(limit)
  if (value === undefined || !own || numberOf(own.quota) === value) return false
  return all.some((policy) => numberOf(policy.quota) === value)
}

/**
 * Reads what answers show of a quota, as its contract says: in any dialect, with names in any letter case. A field repeated
 * with one value is that value, but not plain; one of the wrong form is malformed. If a field appears under several names,
 * the first that the contract lists decides.
 */
export const limitReader = (
  contract: FieldsOfContract,
  owner: PolicyOwner,
): ((headers: readonly HeaderLine[]) => AnswerReading) => {
  const names = fieldsByName(contract.headers)
  const wait = waitName({ retryAfter: null, ...contract })
  const policiesOf = policyReader(names, owner, limitsOfOthers(contract, owner))
  return (headers) => {
    const retryAfter = readRetryAfter(headers, wait)
    const byName = valuesByName(headers)
    const policies = policiesOf(byName)
    const said = names.map(({ name, fields }) => {
      const values = byName.get(name)
      return values ? saidByName(fields.map((each) => readField(each, values, policies, owner))) : {}
    })
    const { own } = policies
    const policy = own ? { policy: own } : {}
    const { limit: shown = absent, remaining, reset = absent, used } = firstSaid(said)
    if (own && isOfAnother(shown, policies))
      return { limit: own.quota, remaining: absent, reset: absent, retryAfter, ...policy, showsAnother: true }
    if (!own && contract.limitsBeside?.has(numberOf(shown) ?? Number.NaN))
      return { limit: absent, remaining: absent, reset: absent, retryAfter, showsAnother: true }
    if (!own && contract.areOfAnyQuota)
      return { limit: shown, remaining: absent, reset: absent, retryAfter, showsAnother: true }
    const unshown = own?.quota ?? (policies.unreadable ? malformed(policies.unreadable) : absent)
    const limit = shown.state === 'absent' ? unshown : shown
    return { limit, remaining: remaining ?? left(limit, used), reset, retryAfter, ...policy }
  }
}

const saysNothing: AnswerReading = { limit: absent, remaining: absent, reset: absent, retryAfter: { form: 'absent' } }

/** Puts a malformed value in quotes if it looks like a number. */
const quoted = (header: NumberHeader): NumberHeader =>
  header.state === 'malformed' && numberIn(header.text) !== undefined ? { ...header, text: `"${header.text}"` } : header

const sinceEpoch = (reset: NumberHeader, receivedEpochS: number): NumberHeader => {
  if (reset.state !== 'number' || reset.from !== 'now') return reset
  const { from: _, ...moment } = withValue(reset, receivedEpochS + reset.value)
  return { ...moment, plain: true }
}

/** The agreed limit, if no field shows it and it is the same for all. */
const agreedLimit = (contract: ApiContract, { limit, burst }: QuotaSpec): NumberHeader | undefined => {
  if (fieldsShowing(contract, 'limit').length > 0) return undefined
  const agreed = Object.values(limit)
  const value = burst ?? (new Set(agreed).size === 1 ? agreed[0] : undefined)
  return value === undefined ? undefined : { state: 'number', value, text: String(value), plain: true }
}

/**
 * Reads single answers by a contract for one of its quotas, with its window as the target shows it. Reset becomes seconds
 * since the epoch, whatever the contract's unit. If the contract has no Retry-After, the Reset of a refusal stands in for it.
 * The status of `x` must be settled already.
 */
export const answerReader = (
  contract: ApiContract,
  quota: QuotaSpec,
  wallStartMs: number,
): ((x: Exchange) => AnswerReading) => {
  const read = limitReader(contract, quota)
  const agreed = agreedLimit(contract, quota)
  return ({ response, receivedAt }) => {
    if (!response || receivedAt === null) return saysNothing
    const { headers, status } = response
    const { limit, remaining, reset, retryAfter, ...policy } = read(headers)
    const receivedEpochS = (wallStartMs + receivedAt) / 1000
    const mayStandIn = contract.retryAfter === null && status === settledStatus.quota
    const seconds = mayStandIn ? waitUntilReset(reset, receivedEpochS) : undefined
    return {
      limit: agreed ?? quoted(limit),
      remaining: quoted(remaining),
      reset: quoted(sinceEpoch(reset, receivedEpochS)),
      retryAfter: seconds === undefined ? retryAfter : { form: 'seconds', seconds: Math.ceil(seconds) },
      ...policy,
    }
  }
}
