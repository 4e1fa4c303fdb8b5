import { type BareItem, isInnerList, type Parameters, parseDictionary, parseList, Token } from 'structured-headers'
import { malformed, type NumberHeader } from '../header-values.js'
import { absent } from './plain-values.js'

/** One policy of a `RateLimit-Policy` field: `"permin";q=50;w=60` (draft 11), `50;w=60` (drafts 03 to 07). */
export interface Policy {
  /** Undefined in drafts before 08, where policies have no name. */
  readonly name: string | undefined
  readonly quota: NumberHeader
  /** In seconds; undefined where it names none. */
  readonly window: number | undefined
  /** What is counted: `requests` where nothing else is named. */
  readonly unit: string
}

/** What a `RateLimit` field says of one policy (draft 11): `"permin";r=9;t=30`. */
export interface ServiceLimit {
  readonly name: string
  readonly remaining: NumberHeader
  /** In seconds from the receipt of the answer. */
  readonly reset: NumberHeader
}

const isInteger = (value: BareItem | undefined): value is number => Number.isSafeInteger(value)

const shownItem = (value: BareItem): string =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' || value instanceof Token
    ? String(value)
    : 'no integer'

/** An item that has to be an integer that is not negative (RFC 9651 §3.3.1). */
const integer = (value: BareItem | undefined): NumberHeader => {
  if (value === undefined) return absent
  if (!isInteger(value)) return malformed([shownItem(value)])
  return { state: 'number', value, text: String(value), plain: value >= 0 }
}

const nameOf = (value: BareItem): string | undefined =>
  typeof value === 'string' ? value : value instanceof Token ? value.toString() : undefined

/** The members of a list (RFC 9651 §3.1), which several lines make together; undefined where it is none, or has members in brackets. */
const listIn = (values: readonly string[]): readonly (readonly [BareItem, Parameters])[] | undefined => {
  try {
    const items: [BareItem, Parameters][] = []
    for (const member of parseList(values.join(', '))) {
      if (isInnerList(member)) return undefined
      items.push(member)
    }
    return items.length === 0 ? undefined : items
  } catch {
    return undefined
  }
}

const windowIn = (parameters: Parameters): number | undefined => {
  const window = parameters.get('w')
  return typeof window === 'number' && window > 0 ? window : undefined
}

/** The policies of drafts 03 to 07: `100;w=60, 1000;w=3600`; undefined where the field is something else. */
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

/** The policies of drafts 08 to 11: `"permin";q=50;w=60, "perday";q=1000;w=86400;qu="requests"`. */
export const namedPolicies = (values: readonly string[]): readonly Policy[] | undefined => {
  const policies: Policy[] = []
  for (const [value, parameters] of listIn(values) ?? []) {
    const name = nameOf(value)
    if (name === undefined) return undefined
    const unit = parameters.get('qu')
    policies.push({
      name,
      quota: integer(parameters.get('q')),
      window: windowIn(parameters),
      unit: unit === undefined ? 'requests' : (nameOf(unit) ?? ''),
    })
  }
  return policies.length === 0 ? undefined : policies
}

/** What `RateLimit` says of each policy (drafts 08 to 11); undefined where the field is something else. */
export const serviceLimits = (values: readonly string[]): readonly ServiceLimit[] | undefined => {
  const limits: ServiceLimit[] = []
  for (const [value, parameters] of listIn(values) ?? []) {
    const name = nameOf(value)
    if (name === undefined) return undefined
    limits.push({ name, remaining: integer(parameters.get('r')), reset: integer(parameters.get('t')) })
  }
  return limits.length === 0 ? undefined : limits
}

/** `limit=100, remaining=9, reset=30` (draft 07); undefined where the field is something else. */
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
