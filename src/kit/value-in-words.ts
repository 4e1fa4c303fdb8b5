/** A part of a JSON Schema, as far as a reference reads it. */
export interface SchemaPart {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaPart[]
  readonly items?: SchemaPart
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly required?: readonly string[]
  readonly additionalProperties?: SchemaPart | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly $defs?: Readonly<Record<string, object>>
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
}

const inWords = (items: readonly string[]): string => items.join(', ').replace(/, ([^,]*)$/, ' or $1')

/** Whether a part has fields of its own, which make a table. */
export const isTable = (part: SchemaPart): boolean => part.properties !== undefined

/** A bound so far away keeps nobody from anything: where a schema says none, zod says that of the type. */
const farAway = 1_000_000_000

const boundOf = (value: number | undefined): string | undefined =>
  value === undefined || Math.abs(value) >= farAway ? undefined : value.toLocaleString('en-GB')

const boundsOf = ({ minimum, maximum }: SchemaPart): string => {
  const [least, most] = [boundOf(minimum), boundOf(maximum)]
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  if (least !== undefined) return `, ${least} or more`
  return most === undefined ? '' : `, ${most} or less`
}

/** Each of several: what is told in a table of its own, or in words. */
const several = (how: string, each: SchemaPart): string =>
  isTable(each) && each.title === undefined ? `${how}, see below` : `${how}: ${valueInWords(each)}`

/** Of `a status; or a list: a status` the second is a list of them. */
const formsInWords = (parts: readonly SchemaPart[]): string => {
  const forms = [...new Set(parts.flatMap((each) => valueInWords(each).split('; or ')))]
  return forms
    .map((form) => (forms.includes(form.replace('a list: ', '')) ? form.replace(/a list: .*/, 'a list of them') : form))
    .join('; or ')
}

/** What may stand where a part of a schema is meant: `a whole number from 1 to 500`. */
export const valueInWords = (part: SchemaPart): string => {
  if (part.type === 'null') return 'null'
  if (part.const !== undefined) return `\`${part.const}\``
  if (part.enum && part.title === undefined) return inWords(part.enum.map((each) => `\`${each}\``))
  if (part.anyOf) return formsInWords(part.anyOf)
  if (part.title !== undefined) return part.title
  if (part.items) return several('a list', part.items)
  if (part.properties) return 'fields, see below'
  if (typeof part.additionalProperties === 'object') return several('by name', part.additionalProperties)
  if (typeof part.type === 'object') return inWords(part.type.map((type) => valueInWords({ ...part, type })))
  if (part.type === undefined) return 'a text or a number'
  return `${kinds[part.type] ?? part.type}${boundsOf(part)}`
}
