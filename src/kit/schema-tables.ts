import { listInWords, tableCell } from './words.js'

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
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
}

const inWords = (items: readonly string[]): string => listInWords(items, 'or')

const isTable = (part: SchemaPart): boolean => part.properties !== undefined

/** A bound this far away restricts nobody: if a schema sets none, zod states that of the type. */
const farAway = 1_000_000_000

const boundOf = (value: number | undefined): string | undefined =>
  value === undefined || Math.abs(value) >= farAway ? undefined : value.toLocaleString('en-GB')

const boundsOf = ({ minimum, maximum }: SchemaPart): string => {
  const [least, most] = [boundOf(minimum), boundOf(maximum)]
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  if (least !== undefined) return `, ${least} or more`
  return most === undefined ? '' : `, ${most} or less`
}

/** Each of several values: described in a table of its own, or in words. */
const several = (how: string, each: SchemaPart): string =>
  isTable(each) && each.title === undefined ? `${how}, see below` : `${how}: ${valueInWords(each)}`

/** In `a status; or a list: a status`, the second becomes `a list of them`. */
const formsInWords = (parts: readonly SchemaPart[]): string => {
  const forms = [...new Set(parts.flatMap((each) => valueInWords(each).split('; or ')))]
  return forms
    .map((form) => (forms.includes(form.replace('a list: ', '')) ? form.replace(/a list: .*/, 'a list of them') : form))
    .join('; or ')
}

/** The values that a part of a schema allows: `a whole number from 1 to 500`. */
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
  if (part.type === undefined) return 'text or a number'
  return `${kinds[part.type] ?? part.type}${boundsOf(part)}`
}

const defaultInWords = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('"', '')
    .replaceAll(/([,:])/g, '$1 ')

const rowOf = (name: string, part: SchemaPart, isNeeded: boolean): string => {
  const usual = part.default === undefined ? '' : `\`${defaultInWords(part.default)}\``
  return `| \`${name}\` | ${tableCell(valueInWords(part))} | ${isNeeded ? '**required**' : usual} | ${tableCell(part.description ?? '')} |`
}

export const fieldTable = ({ properties = {}, required = [] }: SchemaPart): string =>
  [
    '| field | value | default | meaning |',
    '|---|---|---|---|',
    ...Object.entries(properties).map(([name, part]) => rowOf(name, part, required.includes(name))),
  ].join('\n')

interface Section {
  readonly path: string
  readonly part: SchemaPart
}

const partsIn = (part: SchemaPart, path: string): Section[] => [
  ...(part.anyOf ?? []).map((form) => ({ path, part: form })),
  ...(part.items ? [{ path: `${path}[]`, part: part.items }] : []),
  ...(typeof part.additionalProperties === 'object' ? [{ path: `${path}.NAME`, part: part.additionalProperties }] : []),
  ...Object.entries(part.properties ?? {}).map(([name, field]) => ({
    path: path ? `${path}.${name}` : name,
    part: field,
  })),
]

/** The tables inside a part. A titled part is described by its title, and gets no table. */
const sectionsOf = ({ path, part }: Section): Section[] => [
  ...(isTable(part) ? [{ path, part }] : []),
  ...partsIn(part, path)
    .filter((each) => each.part.title === undefined)
    .flatMap(sectionsOf),
]

const inlined = (value: unknown, definitions: Readonly<Record<string, object>>): unknown => {
  if (Array.isArray(value)) return value.map((each) => inlined(each, definitions))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Readonly<Record<string, unknown>>
  const meant = typeof $ref === 'string' ? definitions[$ref.replace('#/$defs/', '')] : {}
  return Object.fromEntries(
    Object.entries({ ...meant, ...rest }).map(([name, each]) => [name, inlined(each, definitions)]),
  )
}

/**
 * The reference of a file, made from its JSON Schema: a Markdown table for each part with fields, except those with a title,
 * which have their reference elsewhere.
 */
export const schemaTables = ({ $defs = {}, ...schema }: SchemaPart): string =>
  sectionsOf({ path: '', part: inlined(schema, $defs) as SchemaPart })
    .map(({ path, part }) => `### ${path === '' ? 'The file' : `\`${path}\``}\n\n${fieldTable(part)}\n`)
    .join('\n')
