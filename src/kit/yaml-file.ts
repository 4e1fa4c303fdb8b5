import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseDocument, type YAMLError } from 'yaml'
import { z } from 'zod'
import { bundledIn } from './package-file.js'
import { fileReasons, UsageError, whyOf } from './usage-error.js'
import { listInWords, nearest, suggestion } from './words.js'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'fields with their values',
  record: 'names with their values',
  array: 'a list',
}

/** `: did you mean GET?` if a known word is near; else nothing. */
export const hint = (input: unknown, known: readonly string[]): string => {
  if (typeof input !== 'string') return ''
  const meant = known.find((each) => each.toLowerCase() === input.toLowerCase()) ?? nearest(input, known)
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

/** Leaves out the value itself, which may be a secret typed in the wrong place. */
const choice = (input: unknown, values: readonly unknown[]): string => {
  const known = values.map(String)
  return `must be ${known.length > 1 ? 'one of ' : ''}${listInWords(known, 'or')}${hint(input, known)}`
}

const bounds: Readonly<Record<string, (most: string) => string>> = {
  string: (count) => `must have ${count} characters`,
  array: (count) => `must have ${count} entries`,
}

const amount = (origin: string, count: string): string => (bounds[origin] ?? ((n: string) => `must be ${n}`))(count)

/** The issues of several forms that all failed, if their schema has no words of its own for that. */
const toldByForm = new WeakSet<object>()

/** Zod's findings, in words that say what to write: for schemas without words of their own. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = `must be ${kinds[issue.expected] ?? issue.expected}`
      return issue.input === null ? `is empty: it ${wanted}` : wanted
    }
    case 'invalid_value':
      return choice(issue.input, issue.values)
    case 'too_small':
      if (issue.origin !== 'number' && Number(issue.minimum) === 1) return 'must not be empty'
      return amount(issue.origin, `at least ${issue.minimum}`)
    case 'too_big':
      return amount(issue.origin, `at most ${issue.maximum}`)
    case 'invalid_union':
      toldByForm.add(issue.errors)
      return 'has none of the allowed forms'
    default:
      return undefined
  }
}

const bare = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return bare(schema.unwrap())
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema
}

/** The schema one step deeper; of several forms, the first that has that step. */
const inside = (wrapped: unknown, step: PropertyKey): unknown => {
  const schema = bare(wrapped)
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodObject) return schema.shape[String(step)]
  if (!(schema instanceof z.ZodUnion)) return undefined
  return schema.options.map((option) => inside(option, step)).find((found) => found !== undefined)
}

const fieldsOf = (wrapped: unknown): string[] => {
  const schema = bare(wrapped)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

interface Found {
  readonly issue: z.core.$ZodIssue
  readonly path: readonly PropertyKey[]
  /** The fields that could be used where the issue is. */
  readonly fields: readonly string[]
}

/** Whether a form was the intended one, and only something inside it is wrong. */
export const isInside = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.every((issue) => {
    if (issue.path.length > 0 || issue.code === 'unrecognized_keys') return true
    return issue.code === 'invalid_union' && toldByForm.has(issue.errors) && issue.errors.some(isInside)
  })

/** The issue to report: of several forms, the one inside the form that has the right type and the fewest issues. */
export const innermost = (issue: z.core.$ZodIssue, schema: unknown, base: readonly PropertyKey[] = []): Found => {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_key') return { issue: { ...issue.issues[0], path: [] }, path, fields: [] }
  if (issue.code === 'invalid_union' && toldByForm.has(issue.errors)) {
    const union = bare(issue.path.reduce(inside, schema))
    const meant = issue.errors
      .map((issues, index) => ({ issues, index }))
      .filter(({ issues }) => isInside(issues))
      .sort((a, b) => a.issues.length - b.issues.length)[0]
    if (meant && union instanceof z.ZodUnion) return innermost(telling(meant.issues), union.options[meant.index], path)
  }
  return { issue, path, fields: fieldsOf(issue.path.reduce(inside, schema)) }
}

/** The issue to report first: a missing field may be there, misspelt. */
export const telling = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]

const usualMostBytes = 256 * 1024

const pairOf = (parent: unknown, key: PropertyKey): Pair | undefined =>
  isMap(parent) ? parent.items.find((each) => isScalar(each.key) && String(each.key.value) === String(key)) : undefined

/** The line where the part at a path begins, its key included, or its nearest parent. */
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

/** A YAML file that was read: its value, and what maps a path in it to a line. */
export interface YamlFile {
  readonly file: string
  /** What the file is, for errors: `a scenario`. */
  readonly kind: string
  readonly document: Document
  readonly lines: LineCounter
  readonly value: unknown
  /** Whether it was passed as a value, so that nobody has seen its lines. */
  readonly isValue?: boolean
}

/** Issues about a value's form: if the value is missing, the message says that too. */
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

/** The error for a wrong part of the file: file, line and field, and what is wrong with it. */
export const refusalAt = (place: YamlFile, path: readonly PropertyKey[], why: string): UsageError =>
  new UsageError(`${lineIn(place, path)}: ${path.length > 0 ? `${path.join('.')}: ` : 'the file '}${why}`)

/** `file:line` of the part at a path; `file` alone if nobody has seen its lines. */
export const lineIn = ({ file, document, lines, isValue }: YamlFile, path: readonly PropertyKey[]): string =>
  isValue ? file : `${file}:${lineOf(document, lines, path)}`

/** Renames a key of the mapping at a path. False if the key is missing, or the new name is taken. */
export const renameKey = ({ document }: YamlFile, path: readonly PropertyKey[], from: string, to: string): boolean => {
  const parent = path.length === 0 ? document.contents : document.getIn(path, true)
  const pair = pairOf(parent, from)
  if (!isScalar(pair?.key) || pairOf(parent, to)) return false
  pair.key.value = to
  return true
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
  DUPLICATE_KEY: 'this field appears twice: remove one of them',
  TAB_AS_INDENT: 'this line begins with a tab: indent it with spaces',
}

const inWords = ({ code, message }: YAMLError): string =>
  syntaxWords[code] ?? message.split('\n')[0].replace(/ at line \d+, column \d+:?$/, '')

/** The file of a bundled name or a path. A {@link UsageError} begins with `where` it is named if there is none. */
export const yamlFileOf = (nameOrPath: string, folder: string, what: string, where = ''): string => {
  const bundled = join(folder, `${nameOrPath}.yaml`)
  if (/^[\w-]+$/.test(nameOrPath) && existsSync(bundled)) return bundled
  if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath
  const names = bundledIn(folder).join(', ')
  const why = existsSync(nameOrPath) ? `${nameOrPath} is a folder, not a ${what}` : `there is no ${what} ${nameOrPath}`
  throw new UsageError(`${where}${why}: give the path of a YAML file, or one of ${names}`)
}

/** Reads a YAML file of the given kind. Throws a {@link UsageError} that names file and line. */
export const readYaml = (file: string, kind: string, mostBytes = usualMostBytes): YamlFile => {
  if (statSync(file).size > mostBytes)
    throw new UsageError(`${file}: ${kind} file may have at most ${mostBytes / 1024} KiB`)
  return parseYaml(readFileSync(file, 'utf8'), file, kind)
}

/** The same for a file named by an option. Throws a {@link UsageError} that begins with the option if there is none. */
export const readNamedYaml = (option: string, file: string, kind: string): YamlFile => {
  if (!existsSync(file)) throw new UsageError(`${option} ${file}: there is no such file`)
  if (!statSync(file).isFile()) throw new UsageError(`${option} ${file}: ${fileReasons.EISDIR}`)
  return readYaml(file, kind)
}

/** The same for a text; `file` is its name in errors. */
export const parseYaml = (text: string, file: string, kind: string): YamlFile => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', customTags: [] })
  // An unknown tag is only a warning to the parser; here it is an error.
  const [error] = [...document.errors, ...document.warnings]
  if (error) throw new UsageError(`${file}:${error.linePos?.[0].line ?? 1}: ${inWords(error)}`)
  try {
    // Aliases are allowed for little; one that explodes is rejected.
    return { file, kind, document, lines, value: document.toJS({ maxAliasCount: 20 }) }
  } catch (cause) {
    throw new UsageError(`${file}: ${whyOf(cause)}`)
  }
}

const form = /^[A-Z_][A-Z0-9_]{0,99}$/

/** Whether a text names a variable, and is not a secret typed in its place: long, with digits and no underscore. */
export const isVariableName = (text: string): boolean =>
  form.test(text) && (text.length < 20 || !/\d/.test(text) || text.includes('_'))

/** The name of an environment variable. The error does not show the given text. */
export const variableName = z
  .string()
  .refine(isVariableName, {
    error:
      'must be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (the value is not shown here)',
  })
  .meta({ pattern: form.source, title: 'a variable' })
