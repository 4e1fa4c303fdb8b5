import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { suggestion } from '../kit/suggestion.js'
import { UsageError } from '../kit/usage-error.js'

const mostBytes = 256 * 1024

/** The line on which the part of the document stands that a path leads to, or its nearest parent. */
const lineOf = (document: Document, lines: LineCounter, path: readonly PropertyKey[]): number => {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

/** The line of a key that is not known, which has no value of its own in the schema. */
const lineOfKey = (document: Document, lines: LineCounter, path: readonly PropertyKey[], key: string): number => {
  const parent = path.length === 0 ? document.contents : document.getIn(path, true)
  const pairs = parent && typeof parent === 'object' && 'items' in parent ? (parent.items as { key: unknown }[]) : []
  const pair = pairs.find((each) => isNode(each.key) && 'value' in each.key && each.key.value === key)
  return pair && isNode(pair.key) && pair.key.range
    ? lines.linePos(pair.key.range[0]).line
    : lineOf(document, lines, path)
}

/** A YAML file, read: its value, and what leads from a path in it to a line. */
export interface YamlFile {
  readonly file: string
  /** What the file is, for errors: `a scenario`. */
  readonly kind: string
  readonly document: Document
  readonly lines: LineCounter
  readonly value: unknown
}

/** The fields that a schema has at a path; none where the path leads to no object. */
const fieldsAt = (schema: unknown, path: readonly PropertyKey[]): string[] => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return fieldsAt(schema.unwrap(), path)
  const [step, ...rest] = path
  if (schema instanceof z.ZodArray) return step === undefined ? [] : fieldsAt(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  return step === undefined ? Object.keys(schema.shape) : fieldsAt(schema.shape[String(step)], rest)
}

const refuse = (place: YamlFile, issue: z.core.$ZodIssue, base: readonly PropertyKey[], schema: z.ZodObject): never => {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys
    const line = lineOfKey(place.document, place.lines, path, key)
    throw new UsageError(
      `${place.file}:${line}: ${[...path, key].join('.')} is not a field of ${place.kind}: ${suggestion(key, fieldsAt(schema, issue.path))}`,
    )
  }
  throw new UsageError(`${lineIn(place, path)}: ${path.join('.') || 'the file'}: ${issue.message}`)
}

/** `file:line` of the part that a path leads to. */
export const lineIn = ({ file, document, lines }: YamlFile, path: readonly PropertyKey[]): string =>
  `${file}:${lineOf(document, lines, path)}`

/** The value, checked against a schema. Throws a {@link UsageError} that names file, line and field. */
export const checkYaml = <S extends z.ZodObject>(
  place: YamlFile,
  schema: S,
  value: unknown,
  base: readonly PropertyKey[],
): z.infer<S> => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  // A field that is missing may be there, misspelt.
  const { issues } = parsed.error
  return refuse(place, issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0], base, schema)
}

/** The YAML files that come with quotaspec in a folder, by name. */
const bundledIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()

/** The file that a name of a bundled one, or a path, means. Throws a {@link UsageError} where there is none. */
export const yamlFileOf = (nameOrPath: string, folder: string, what: string): string => {
  const bundled = join(folder, `${nameOrPath}.yaml`)
  if (/^[\w-]+$/.test(nameOrPath) && existsSync(bundled)) return bundled
  if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath
  const names = bundledIn(folder).join(', ')
  throw new UsageError(`there is no ${what} ${nameOrPath}: give the path of a YAML file, or one of ${names}`)
}

/** Reads a YAML file of that kind. Throws a {@link UsageError} that names file and line. */
export const readYaml = (file: string, kind: string): YamlFile => {
  if (statSync(file).size > mostBytes) throw new UsageError(`${file}: ${kind} file has at most ${mostBytes / 1024} KiB`)
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, schema: 'core', customTags: [] })
  // A tag that nobody knows is a warning to the parser; here it is nothing that a file says.
  const [error] = [...document.errors, ...document.warnings]
  if (error) throw new UsageError(`${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]}`)
  try {
    // An alias may stand in for little; one that explodes is refused.
    return { file, kind, document, lines, value: document.toJS({ maxAliasCount: 20 }) }
  } catch (cause) {
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
