import type { ApiContract, HeaderField, QuotaSpec } from '../contract/api-contract.js'
import { petstore } from '../contract/petstore/petstore.js'
import type { HeaderLine } from '../evidence/exchange.js'
import {
  absent,
  fieldsByName,
  malformed,
  type NamedFields,
  type NumberHeader,
  numberOf,
  plainNumber,
  plainReset,
  type RateHeaders,
  type ResetReading,
  usedOfLimit,
  type ValuesOf,
  valuesOfHeaders,
  withValue,
} from './limit-values.js'
import {
  type AnswerPolicies,
  isOfAnother,
  limitDictionary,
  listedLimit,
  mayList,
  type PolicyOwner,
  policyReader,
  type ServiceLimit,
  serviceLimits,
} from './policies.js'

/** What one answer shows of one quota. */
export interface LimitReading {
  readonly limit: NumberHeader
  readonly remaining: NumberHeader
  readonly reset: ResetReading
}

/** What one field says; what it says nothing of is left out. */
type FieldReading = Partial<LimitReading> & {
  readonly used?: NumberHeader
  /** It is not of its meaning's form at all. */
  readonly unfit?: true
}

const resetOf = (seconds: NumberHeader): ResetReading =>
  seconds.state === 'number' ? { ...seconds, from: 'now' } : seconds

const same = (one: ServiceLimit, other: ServiceLimit): boolean =>
  numberOf(one.remaining) === numberOf(other.remaining) && numberOf(one.reset) === numberOf(other.reset)

/** What `RateLimit` says of the quota's policy; of one that it names with several partition keys only what all say. */
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
      return said ? { ...said, reset: resetOf(said.reset) } : { ...unfit(values), limit: malformed(values) }
    }
    case 'draft-11': {
      const limits = serviceLimits(values)
      if (!limits) return unfit(values)
      const mine = ownService(limits, policies, owner)
      return mine ? { remaining: mine.remaining, reset: resetOf(mine.reset) } : {}
    }
    default:
      return {}
  }
}

const unfit = (values: readonly string[]): FieldReading => {
  const reading = malformed(values)
  return { remaining: reading, reset: reading, unfit: true }
}

const parts = ['limit', 'remaining', 'reset', 'used'] as const

/** What the fields of one name say: those count that are of their meaning's form, and of them the first number. */
const saidByName = (readings: readonly FieldReading[]): FieldReading => {
  const fitting = readings.filter(({ unfit }) => !unfit)
  const said = (part: (typeof parts)[number]) => {
    const each = (fitting.length > 0 ? fitting : readings).map((reading) => reading[part])
    return each.find((one) => one?.state === 'number') ?? each.find((one) => one?.state === 'malformed')
  }
  return Object.fromEntries(parts.map((part) => [part, said(part)]))
}

/** Of what several names say the first that says something decides. */
const firstSaid = (names: readonly FieldReading[]): FieldReading =>
  Object.fromEntries(parts.map((part) => [part, names.find((each) => each[part])?.[part]]))

const left = (limit: NumberHeader, used: NumberHeader | undefined): NumberHeader => {
  if (used?.state !== 'number') return used ?? absent
  return limit.state === 'number' ? withValue(used, limit.value - used.value) : absent
}

/** Reads the answers of one contract for one of its quotas. */
export const limitReader = (
  contract: Pick<ApiContract, 'headers'>,
  owner: PolicyOwner,
): ((valuesOf: ValuesOf) => LimitReading) => {
  const names: readonly NamedFields[] = fieldsByName(contract.headers)
  const policiesOf = policyReader(names, owner)
  return (valuesOf) => {
    const policies = policiesOf(valuesOf)
    const said = names.map(({ name, fields }) => {
      const values = valuesOf(name)
      return values.length > 0 ? saidByName(fields.map((each) => readField(each, values, policies, owner))) : {}
    })
    const { own } = policies
    const { limit: shown = absent, remaining, reset = absent, used } = firstSaid(said)
    if (own && isOfAnother(shown, policies)) return { limit: own.quota, remaining: absent, reset: absent }
    const unshown = own?.quota ?? (policies.unreadable ? malformed(policies.unreadable) : absent)
    const limit = shown.state === 'absent' ? unshown : shown
    return { limit, remaining: remaining ?? left(limit, used), reset }
  }
}

/**
 * What an answer shows of a quota, read as its contract says: in any dialect, with names in any letter case. A field
 * that came twice with one value is that value, though not plain; one that is not what it should be is malformed. Of a
 * field that is there under several names the first that the contract lists decides.
 */
export const readLimits = (
  headers: readonly HeaderLine[],
  contract: Pick<ApiContract, 'headers'>,
  quota: QuotaSpec,
): LimitReading => limitReader(contract, quota)(valuesOfHeaders(headers))

const readPetstore = limitReader(petstore, petstore.quotas[0])

/** The three rate-limit headers of an answer (§8.1). */
export const rateHeaders = (headers: readonly HeaderLine[]): RateHeaders => readPetstore(valuesOfHeaders(headers))
