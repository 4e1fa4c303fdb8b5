import type { HeaderField, ResetUnit } from '../../contract/api-contract.js'
import type { DiscoveredField } from '../../contract/discovered.js'
import { decimalIn } from '../../kit/decimal.js'
import { limitDictionary, namedPolicies, serviceLimits, unnamedPolicies } from '../policies.js'
import { resetUnitOf } from './reset-unit.js'
import { type SeenAnswer, type SeenValue, valuesSeen } from './seen-answer.js'

/** Fields that tell of one thing: `x-ratelimit-limit-tokens` and `x-ratelimit-remaining-tokens`. */
export interface FieldGroup {
  /** Their names without the word that tells them apart. */
  readonly stem: string
  readonly fields: readonly DiscoveredField[]
}

/** What was found among the headers. */
export interface SeenFields {
  readonly groups: readonly FieldGroup[]
  /** Fields that look as if they told of limits, and could not be understood. */
  readonly unclear: readonly string[]
}

const aboutLimits = /rate-?limit|quota|throttl|call-limit/
/** Said of limits, and no numbers: which bucket, which plan, by what it is counted. */
const labels = /bucket|resource|scope|global|plan|tier|name|id$|reason/

const words: readonly (readonly [RegExp, 'reset' | 'remaining' | 'used' | 'policy' | 'limit'])[] = [
  [/reset(-after)?/, 'reset'],
  [/remaining|left|available/, 'remaining'],
  [/used|consumed|usage/, 'used'],
  [/policy/, 'policy'],
  [/limit/, 'limit'],
]

const structuredField = (name: string, values: readonly SeenValue[]): DiscoveredField | undefined => {
  const forms: readonly (readonly [HeaderField['is'], (texts: readonly string[]) => unknown, string])[] =
    name.toLowerCase() === 'ratelimit'
      ? [
          ['draft-07', limitDictionary, 'limit, remaining and reset in one field, as draft 07 of the IETF has them'],
          ['draft-11', serviceLimits, 'policies with r and t, as drafts 08 to 11 of the IETF have them'],
        ]
      : [
          ['draft-07-policy', unnamedPolicies, 'limits with their window, as drafts up to 07 of the IETF have them'],
          ['draft-11-policy', namedPolicies, 'named policies with q and w, as drafts 08 to 11 of the IETF have them'],
        ]
  const form = forms.find(([, read]) => values.every(({ text }) => read([text]) !== undefined))
  if (!form) return undefined
  return { field: { name, is: form[0], level: 'should' }, because: `${values[0].text}: ${form[2]}` }
}

const levelOf = (name: string): HeaderField['level'] => (/^ratelimit/i.test(name) ? 'should' : 'must')

/** Whether a number that should be whole is none. */
const isDecimal = (unit: ResetUnit, values: readonly SeenValue[]): boolean =>
  /^(epoch|delta)-/.test(unit) && values.some(({ text }) => text.includes('.'))

const plainField = (name: string, values: readonly SeenValue[], wallStartMs: number): DiscoveredField | undefined => {
  const rest = name.toLowerCase().replace(/rate-?limit/, '')
  const word = words.find(([pattern]) => pattern.test(rest))?.[1]
  const [{ text }] = values
  const level = levelOf(name)
  if (word === undefined || word === 'policy') return undefined
  if (word === 'reset') {
    const unit = resetUnitOf(values, wallStartMs)
    if (unit && isDecimal(unit.is, values)) {
      const because = `${unit.because}, with decimals, which these never have: what it is worth is read, and how it is written only reported`
      return { field: { name, is: 'reset', as: unit.is, level: 'observe' }, because }
    }
    return unit && { field: { name, is: 'reset', as: unit.is, level }, because: unit.because }
  }
  if (values.every((value) => /^\d+\/\d+$/.test(value.text))) {
    return { field: { name, is: 'used/limit', level }, because: `${text}: what is used, of what is allowed` }
  }
  const isNumber = values.every((value) => decimalIn(value.text) !== undefined)
  return isNumber ? { field: { name, is: word, level }, because: `${text}, by its name` } : undefined
}

const stemOf = (name: string): string => {
  const lower = name.toLowerCase()
  if (lower === 'ratelimit' || lower === 'ratelimit-policy') return 'ratelimit'
  const [prefix, rest] = /^(.*?rate-?limit)(.*)$/.exec(lower)?.slice(1) ?? ['', lower]
  return (
    prefix +
    words
      .reduce((left, [word]) => left.replace(word, ''), rest)
      .replace(/-+/g, '-')
      .replace(/-$/, '')
  )
}

/** Finds the fields of answers that tell of limits, by their names and by what they hold. */
export const seenFields = (answers: readonly SeenAnswer[], wallStartMs: number): SeenFields => {
  const names = new Map<string, string>()
  for (const { headers } of answers) {
    for (const [name] of headers) if (aboutLimits.test(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  const groups = new Map<string, DiscoveredField[]>()
  const unclear: string[] = []
  for (const [lower, name] of names) {
    const values = valuesSeen(answers, lower)
    const isStructured = lower === 'ratelimit' || lower === 'ratelimit-policy'
    const field = isStructured ? structuredField(name, values) : plainField(name, values, wallStartMs)
    if (field) groups.set(stemOf(name), [...(groups.get(stemOf(name)) ?? []), field])
    else if (!labels.test(lower)) unclear.push(`${name}: ${values[0].text.slice(0, 80)}`)
  }
  return { groups: [...groups].map(([stem, fields]) => ({ stem, fields })), unclear }
}
