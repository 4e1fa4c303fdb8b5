import type { HeaderField } from '../../contract/api-contract.js'
import { type NumberHeader, numberOf } from '../header-values.js'
import type { NamedFields, ValuesOf } from './named-fields.js'
import { ownPolicy, type PolicyOwner } from './own-policy.js'
import { namedPolicies, type Policy, unnamedPolicies } from './structured-limits.js'

/** The policies of an answer, and the quota's own among them. */
export interface AnswerPolicies {
  readonly all: readonly Policy[]
  readonly own: Policy | undefined
  /** The values of a field that should hold policies, and holds something else. */
  readonly unreadable: readonly string[] | undefined
}

/** `10, 10;w=1, 50;w=60` (RateLimit-Limit of draft 03): behind the limit that is nearest come the policies. */
const behindLimit = (values: readonly string[]): readonly Policy[] | undefined => {
  const listed = listedLimit(values)
  return listed && listed.length > 1 ? listed.slice(1) : undefined
}

/** The members of a `RateLimit-Limit` that lists policies behind the limit (draft 03); undefined where it doesn't. */
export const listedLimit = (values: readonly string[]): readonly Policy[] | undefined =>
  values.some((value) => value.includes(';')) ? unnamedPolicies(values) : undefined

/** Whether a field may list policies behind its limit: that is the drafts' alone. */
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
 * Reads the policies of answers, each from the first field that holds some. What the last answer had is remembered: the
 * policies of a load's answers are the same mostly, and reading them takes longer than all else.
 */
export const policyReader = (
  names: readonly NamedFields[],
  owner: PolicyOwner,
): ((valuesOf: ValuesOf) => AnswerPolicies) => {
  const holders = names.filter(({ fields }) => fields.some(mayHold))
  let last: { readonly values: readonly (readonly string[])[]; readonly policies: AnswerPolicies } | undefined
  return (valuesOf) => {
    const values = holders.map(({ name }) => valuesOf(name))
    if (last && isSame(last.values, values)) return last.policies
    const policies = readPolicies(holders, values, owner)
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
): AnswerPolicies => {
  let unreadable: readonly string[] | undefined
  for (const [at, { fields }] of holders.entries()) {
    const values = valuesOf[at]
    if (values.length === 0) continue
    for (const field of fields) {
      const all = policiesIn(field, values)
      if (all) return { all, own: ownPolicy(all, owner), unreadable: undefined }
      // A plain `policy` may be any text, such as the name of a plan.
      if (field.is === 'draft-07-policy' || field.is === 'draft-11-policy') unreadable = values
    }
  }
  return { all: [], own: undefined, unreadable }
}

/** Whether a limit that an answer shows is that of another of its policies: then so is what it says of the rest. */
export const isOfAnother = (limit: NumberHeader, { all, own }: AnswerPolicies): boolean => {
  const value = numberOf(limit)
  if (value === undefined || !own || numberOf(own.quota) === value) return false
  return all.some((policy) => numberOf(policy.quota) === value)
}
