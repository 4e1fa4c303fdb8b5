import { tableCell } from './table-cell.js'
import { isTable, type SchemaPart, valueInWords } from './value-in-words.js'

const defaultInWords = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('"', '')
    .replaceAll(/([,:])/g, '$1 ')

const rowOf = (name: string, part: SchemaPart, isNeeded: boolean): string => {
  const usual = part.default === undefined ? '' : `\`${defaultInWords(part.default)}\``
  return `| \`${name}\` | ${tableCell(valueInWords(part))} | ${isNeeded ? '**needed**' : usual} | ${tableCell(part.description ?? '')} |`
}

/** The fields of a part of a schema as a Markdown table. */
export const fieldTable = ({ properties = {}, required = [] }: SchemaPart): string =>
  [
    '| field | value | if not there | meaning |',
    '|---|---|---|---|',
    ...Object.entries(properties).map(([name, part]) => rowOf(name, part, required.includes(name))),
  ].join('\n')

interface Section {
  readonly path: string
  readonly part: SchemaPart
}

/** The parts inside a part, each with the path that leads to it. */
const partsIn = (part: SchemaPart, path: string): Section[] => [
  ...(part.anyOf ?? []).map((form) => ({ path, part: form })),
  ...(part.items ? [{ path: `${path}[]`, part: part.items }] : []),
  ...(typeof part.additionalProperties === 'object' ? [{ path: `${path}.NAME`, part: part.additionalProperties }] : []),
  ...Object.entries(part.properties ?? {}).map(([name, field]) => ({
    path: path ? `${path}.${name}` : name,
    part: field,
  })),
]

/** The tables inside a part. Where something has a title, that says what it is, and no table is made of it. */
const sectionsOf = ({ path, part }: Section): Section[] => [
  ...(isTable(part) ? [{ path, part }] : []),
  ...partsIn(part, path)
    .filter((each) => each.part.title === undefined)
    .flatMap(sectionsOf),
]

/** A schema with its definitions put where they are meant. */
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
 * The reference of a file, made from its JSON Schema: a Markdown table for each place that has fields, and none for one
 * whose title says what it is: that has its reference elsewhere.
 */
export const schemaTables = ({ $defs = {}, ...schema }: SchemaPart): string =>
  sectionsOf({ path: '', part: inlined(schema, $defs) as SchemaPart })
    .map(({ path, part }) => `### ${path === '' ? 'The file' : `\`${path}\``}\n\n${fieldTable(part)}\n`)
    .join('\n')
