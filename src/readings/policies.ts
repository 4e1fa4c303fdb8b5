import { type BareItem, isInnerList, type Parameters, parseDictionary, parseList, Token } from 'structured-headers'
import type { HeaderField, QuotaSpec } from '../contract/api-contract.js'
import { absent, malformed, type NamedFields, type NumberHeader, numberOf, type Policy } from './limit-values.js'

/** What a `RateLimit` field says about one policy (draft 11): `"permin";r=9;t=30`. */
export interface ServiceLimit {
  readonly name: string
  readonly remaining: NumberHeader
  /** In seconds from the answer's receipt. */
  readonly reset: NumberHeader
}

const isInteger = (value: BareItem | undefined): value is number => Number.isSafeInteger(value)

const shownItem = (value: BareItem): string =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' || value instanceof Token
    ? String(value)
    : 'no integer'

/** An item that must be a non-negative integer (RFC 9651 §3.3.1). */
const integer = (value: BareItem | undefined): NumberHeader => {
  if (value === undefined) return absent
  if (!isInteger(value)) return malformed([shownItem(value)])
  return { state: 'number', value, text: String(value), plain: value >= 0 }
}

const nameOf = (value: BareItem): string | undefined =>
  typeof value === 'string' ? value : value instanceof Token ? value.toString() : undefined

/** The members of a list (RFC 9651 §3.1), joined across lines; undefined if it is none, or has inner lists. */
const listIn = (values: readonly string[]): readonly (readonly [BareItem, Parameters])[] | undefined => {
  try {
    const items = parseList(values.join(', '))
    return items.length > 0 && items.every((each) => !isInnerList(each)) ? items : undefined
  } catch {
    return undefined
  }
}

const windowIn = (parameters: Parameters): number | undefined => {
  const window = parameters.get('w')
  return typeof window === 'number' && window > 0 ? window : undefined
}

/** The policies of drafts 03 to 07: `100;w=60, 1000;w=3600`; undefined if the field is something else. */
export const unnamedPolicies = (values: readonly string[]): readonly Policy[] | undefined => {
  const items = listIn(values)
  if (!items?.every(([value]) => isInteger(value))) return undefined
  return items.map(([value, parameters]) => ({
    name: undefined,
    quota: integer(value),
    window: windowIn(parameters),
    unit: 'requests',
  }))
}

/** The members of a list that all have names, as in drafts 08 to 11; undefined if the field is something else. */
const namedIn = (values: readonly string[]): readonly (readonly [name: string, Parameters])[] | undefined => {
  const items = listIn(values)?.map(([value, parameters]) => [nameOf(value), parameters] as const)
  return items?.every((each): each is readonly [string, Parameters] => each[0] !== undefined) ? items : undefined
}

/** The policies of drafts 08 to 11: `"permin";q=50;w=60, "perday";q=1000;w=86400;qu="requests"`. */
export const namedPolicies = (values: readonly string[]): readonly Policy[] | undefined =>
  namedIn(values)?.map(([name, parameters]) => {
    const unit = parameters.get('qu')
    return {
      name,
      quota: integer(parameters.get('q')),
      window: windowIn(parameters),
      unit: unit === undefined ? 'requests' : (nameOf(unit) ?? ''),
    }
  })

/** What `RateLimit` says about each policy (drafts 08 to 11). */
export const serviceLimits = (values: readonly string[]): readonly ServiceLimit[] | undefined =>
  namedIn(values)?.map(([name, parameters]) => ({
    name,
    remaining: integer(parameters.get('r')),
    reset: integer(parameters.get('t')),
  }))

/** `limit=100, remaining=9, reset=30` (draft 07); undefined if the field is something else. */
export const limitDictionary = (
  values: readonly string[],
): { readonly limit: NumberHeader; readonly remaining: NumberHeader; readonly reset: NumberHeader } | undefined => {
  try {
    const members = parseDictionary(values.join(', '))
    const member = (key: string): NumberHeader => {
      const found = members.get(key)
      if (found === undefined) return absent
      return isInnerList(found) ? malformed(values) : integer(found[0])
    }
    const read = { limit: member('limit'), remaining: member('remaining'), reset: member('reset') }
    return Object.values(read).every(({ state }) => state === 'absent') ? undefined : read
  } catch {
    return undefined
  }
}

/** The parts of a quota that identify its own policy in an answer. */
export type PolicyOwner = Pick<QuotaSpec, 'policy' | 'windowMs' | 'limit'> & Partial<Pick<QuotaSpec, 'id'>>

/** How far a window in seconds may differ from the quota's, in milliseconds: answers use at most three decimals. */
const roundingMs = 0.5

const hasWindow =
  (windowMs: number) =>
  ({ window }: Policy): boolean =>
    window !== undefined && Math.abs(window * 1000 - windowMs) <= roundingMs

/**
 * The policy of an answer that belongs to the quota: the one that the quota names; else the one with its window, or of
 * several with that window the one with one of its limits; if none has its window, the one with a limit that no other quota
 * has; else the only one. Policies that count something other than requests (`qu`) belong to the quota only if it names them.
 * Undefined if none does, or if nothing tells which.
 *
 * @param elsewhere the limits of the contract's other quotas.
 */
const ownPolicy = (
  policies: readonly Policy[],
  { policy, windowMs, limit }: PolicyOwner,
  elsewhere: ReadonlySet<number>,
): Policy | undefined => {
  const named = policies.some(({ name }) => name !== undefined)
  if (policy !== undefined && named) return policies.find(({ name }) => name === policy)
  const requests = policies.filter(({ unit }) => unit === 'requests')
  const windowed = requests.filter(hasWindow(windowMs))
  if (windowed.length === 1) return windowed[0]
  const limits = new Set(Object.values(limit))
  const has = (known: ReadonlySet<number>, { quota }: Policy) => known.has(numberOf(quota) ?? Number.NaN)
  const limited = (windowed.length > 0 ? windowed : requests.filter((each) => !has(elsewhere, each))).filter((each) =>
    has(limits, each),
  )
  if (limited.length === 1) return limited[0]
  return policies.length === 1 ? requests[0] : undefined
}

export interface AnswerPolicies {
  readonly all: readonly Policy[]
  readonly own: Policy | undefined
  /** The values of a field that should hold policies, but holds something else. */
  readonly unreadable: readonly string[] | undefined
}

/** `10, 10;w=1, 50;w=60` (RateLimit-Limit of draft 03): the limit closest to being reached, then the policies. */
const behindLimit = (values: readonly string[]): readonly Policy[] | undefined => {
  const listed = listedLimit(values)
  return listed && listed.length > 1 ? listed.slice(1) : undefined
}

/** The members of a `RateLimit-Limit` that lists policies after the limit (draft 03); undefined if it does not. */
export const listedLimit = (values: readonly string[]): readonly Policy[] | undefined =>
  values.some((value) => value.includes(';')) ? unnamedPolicies(values) : undefined

/** Whether a field may list policies after its limit: only the drafts' field may. */
export const mayList = ({ name }: Pick<HeaderField, 'name'>): boolean => name.toLowerCase() === 'ratelimit-limit'

const policiesIn = (field: HeaderField, values: readonly string[]): readonly Policy[] | undefined => {
  switch (field.is) {
    case 'policy':
    case 'draft-07-policy':
      return unnamedPolicies(values)
    case 'draft-11-policy':
      return namedPolicies(values)
    case 'limit':
      return mayList(field) ? behindLimit(values) : undefined
    default:
      return undefined
  }
}

const mayHold = (field: HeaderField): boolean => field.is.endsWith('policy') || (field.is === 'limit' && mayList(field))

/**
 * Reads the policies of answers, each from the first field that holds some. It remembers the last result: the policies of a
 * load's answers are mostly the same, and reading them takes longer than everything else.
 */
export const policyReader = (
  names: readonly NamedFields[],
  owner: PolicyOwner,
  elsewhere: ReadonlySet<number>,
): ((byName: ReadonlyMap<string, readonly string[]>) => AnswerPolicies) => {
  const holders = names.filter(({ fields }) => fields.some(mayHold))
  let last: { readonly values: readonly (readonly string[])[]; readonly policies: AnswerPolicies } | undefined
  return (byName) => {
    const values = holders.map(({ name }) => byName.get(name) ?? [])
    if (last && isSame(last.values, values)) return last.policies
    const policies = readPolicies(holders, values, owner, elsewhere)
    last = { values, policies }
    return policies
  }
}

const isSame = (some: readonly (readonly string[])[], others: readonly (readonly string[])[]): boolean =>
  some.every((values, at) => values.length === others[at].length && values.every((value, i) => value === others[at][i]))

const readPolicies = (
  holders: readonly NamedFields[],
  valuesOf: readonly (readonly string[])[],
  owner: PolicyOwner,
  elsewhere: ReadonlySet<number>,
): AnswerPolicies => {
  let unreadable: readonly string[] | undefined
  for (const [at, { fields }] of holders.entries()) {
    const values = valuesOf[at]
    if (values.length === 0) continue
    for (const field of fields) {
      const all = policiesIn(field, values)
      if (all) return { all, own: ownPolicy(all, owner, elsewhere), unreadable: undefined }
      // A plain `policy` may be any text, such as the name of a plan.
      if (field.is === 'draft-07-policy' || field.is === 'draft-11-policy') unreadable = values
    }
  }
  return { all: [], own: undefined, unreadable }
}
