import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseDocument, type YAMLError } from 'yaml'
import type { z } from 'zod'
import { plainWords } from './plain-words.js'
import { type Found, innermost, telling } from './schema-walk.js'
import { suggestion } from './suggestion.js'
import { UsageError } from './usage-error.js'

const usualMostBytes = 256 * 1024

/** The pair of a mapping that has this key. */
const pairOf = (parent: unknown, key: PropertyKey): Pair | undefined =>
  isMap(parent) ? parent.items.find((each) => isScalar(each.key) && String(each.key.value) === String(key)) : undefined

/** Where the part of the document begins that a path leads to, its key included, or its nearest parent. */
const lineOf = (document: Document, lines: LineCounter, path: readonly PropertyKey[]): number => {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const key = pairOf(parent, path[length - 1])?.key
    const node = isNode(key) ? key : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  const root = document.contents
  return isNode(root) && root.range ? lines.linePos(root.range[0]).line : 1
}

/** A YAML file, read: its value, and what leads from a path in it to a line. */
export interface YamlFile {
  readonly file: string
  /** What the file is, for errors: `a scenario`. */
  readonly kind: string
  readonly document: Document
  readonly lines: LineCounter
  readonly value: unknown
  /** Whether nobody has seen its lines: it was given as a value. */
  readonly isValue?: boolean
}

/** What a value that is there at all has to be: of one that is missing it is said besides that it is. */
const ofValues: readonly string[] = ['invalid_type', 'invalid_value', 'invalid_union']

const refuse = (place: YamlFile, { issue, path, fields }: Found): never => {
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys
    throw new UsageError(
      `${lineIn(place, [...path, key])}: ${[...path, key].join('.')} is not a field of ${place.kind}: ${suggestion(key, fields)}`,
    )
  }
  const isMissing = path.length > 0 && !place.document.hasIn(path) && ofValues.includes(issue.code)
  throw refusalAt(place, path, isMissing ? `is missing: it ${issue.message}` : issue.message)
}

/** What to throw where a part of the file is wrong: file, line and field, and what is wrong with it. */
export const refusalAt = (place: YamlFile, path: readonly PropertyKey[], why: string): UsageError =>
  new UsageError(`${lineIn(place, path)}: ${path.join('.') || 'the file'}: ${why}`)

/** `file:line` of the part that a path leads to; `file` alone where nobody has seen its lines. */
export const lineIn = ({ file, document, lines, isValue }: YamlFile, path: readonly PropertyKey[]): string =>
  isValue ? file : `${file}:${lineOf(document, lines, path)}`

/** Gives a key of the mapping at a path another name, in the document. False where the key is not there, or the name is taken. */
export const renameKey = ({ document }: YamlFile, path: readonly PropertyKey[], from: string, to: string): boolean => {
  const parent = path.length === 0 ? document.contents : document.getIn(path, true)
  const pair = pairOf(parent, from)
  if (!isScalar(pair?.key) || pairOf(parent, to)) return false
  pair.key.value = to
  return true
}

/** The text of a single value as it was typed: `007` stays that, where its value is the number 7. */
export const scalarText = ({ document }: YamlFile, path: readonly PropertyKey[]): string => {
  const node = document.getIn(path, true)
  return isScalar(node) && typeof node.value !== 'string'
    ? (node.source ?? String(node.value))
    : String(document.getIn(path))
}

/** The value, checked against a schema. Throws a {@link UsageError} that names file, line and field. */
export const checkYaml = <S extends z.ZodObject>(
  place: YamlFile,
  schema: S,
  value: unknown,
  base: readonly PropertyKey[],
): z.infer<S> => {
  const parsed = schema.safeParse(value, { error: plainWords })
  if (parsed.success) return parsed.data
  const found = innermost(telling(parsed.error.issues), schema)
  return refuse(place, { ...found, path: [...base, ...found.path] })
}

const syntaxWords: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this field is there twice: leave one of the two out',
  TAB_AS_INDENT: 'this line begins with a tab: indent it with spaces',
}

/** What the parser says, without the place, which stands before it. */
const inWords = ({ code, message }: YAMLError): string =>
  syntaxWords[code] ?? message.split('\n')[0].replace(/ at line \d+, column \d+:?$/, '')

/** The YAML files that come with quotaspec in a folder, by name. */
const bundledIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()

/**
 * The file that a name of a bundled one, or a path, means. Throws a {@link UsageError} where there is none, which begins
 * with `where` it is named.
 */
export const yamlFileOf = (nameOrPath: string, folder: string, what: string, where = ''): string => {
  const bundled = join(folder, `${nameOrPath}.yaml`)
  if (/^[\w-]+$/.test(nameOrPath) && existsSync(bundled)) return bundled
  if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath
  const names = bundledIn(folder).join(', ')
  throw new UsageError(`${where}there is no ${what} ${nameOrPath}: give the path of a YAML file, or one of ${names}`)
}

/** Reads a YAML file of that kind. Throws a {@link UsageError} that names file and line. */
export const readYaml = (file: string, kind: string, mostBytes = usualMostBytes): YamlFile => {
  if (statSync(file).size > mostBytes) throw new UsageError(`${file}: ${kind} file has at most ${mostBytes / 1024} KiB`)
  return parseYaml(readFileSync(file, 'utf8'), file, kind)
}

/** The same of a text; `file` is what errors call it. */
export const parseYaml = (text: string, file: string, kind: string): YamlFile => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', customTags: [] })
  // A tag that nobody knows is a warning to the parser; here it is nothing that a file says.
  const [error] = [...document.errors, ...document.warnings]
  if (error) throw new UsageError(`${file}:${error.linePos?.[0].line ?? 1}: ${inWords(error)}`)
  try {
    // An alias may stand in for little; one that explodes is refused.
    return { file, kind, document, lines, value: document.toJS({ maxAliasCount: 20 }) }
  } catch (cause) {
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
