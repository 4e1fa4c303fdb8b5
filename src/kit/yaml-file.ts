import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseDocument, type YAMLError } from 'yaml'
import { z } from 'zod'
import { bundledIn } from './package-file.js'
import { fileReasons, UsageError, whyOf } from './usage-error.js'
import { listInWords, nearest, suggestion } from './words.js'

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'fields with their values',
  record: 'names with their values',
  array: 'a list',
}

/** `: did you mean GET?` where a word is near to one that is known; else nothing. */
export const hint = (input: unknown, known: readonly string[]): string => {
  if (typeof input !== 'string') return ''
  const meant = known.find((each) => each.toLowerCase() === input.toLowerCase()) ?? nearest(input, known)
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

/** Without the value itself, which may be a secret that was typed into the wrong place. */
const choice = (input: unknown, values: readonly unknown[]): string => {
  const known = values.map(String)
  return `has to be ${listInWords(known, 'or')}${hint(input, known)}`
}

const bounds: Readonly<Record<string, (most: string) => string>> = {
  string: (count) => `has to have ${count} characters`,
  array: (count) => `has to have ${count} entries`,
}

const amount = (origin: string, count: string): string => (bounds[origin] ?? ((n: string) => `has to be ${n}`))(count)

/** The issues of several forms none of which fits, where their schema has no words of its own for that. */
const toldByForm = new WeakSet<object>()

/** What zod finds, in words that say what to write: for schemas that have none of their own. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = `has to be ${kinds[issue.expected] ?? issue.expected}`
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

/** What a schema is underneath what it is wrapped in. */
const bare = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return bare(schema.unwrap())
  }
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema
}

/** The schema one step further in; of several forms the first that has such a step. */
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

/** The fields that a schema has at a path; none where the path leads to no object. */
const fieldsAt = (schema: unknown, path: readonly PropertyKey[]): string[] => fieldsOf(path.reduce(inside, schema))

interface Found {
  readonly issue: z.core.$ZodIssue
  readonly path: readonly PropertyKey[]
  /** The fields that could stand where the issue is. */
  readonly fields: readonly string[]
}

/** Whether a form was the right one, and only something in it is wrong. */
export const isInside = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.every((issue) => {
    if (issue.path.length > 0 || issue.code === 'unrecognized_keys') return true
    return issue.code === 'invalid_union' && toldByForm.has(issue.errors) && issue.errors.some(isInside)
  })

/**
 * The issue that a person has to hear of. Where a value may have several forms, it is the one inside the form that was
 * meant: the one of the right type with the fewest issues.
 */
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
  return { issue, path, fields: fieldsAt(schema, issue.path) }
}

/** The issue to begin with: a field that is missing may be there, misspelt. */
export const telling = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]

const usualMostBytes = 256 * 1024

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
  new UsageError(`${lineIn(place, path)}: ${path.length > 0 ? `${path.join('.')}: ` : 'the file '}${why}`)

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
  DUPLICATE_KEY: 'this field appears twice: remove one of them',
  TAB_AS_INDENT: 'this line begins with a tab: indent it with spaces',
}

const inWords = ({ code, message }: YAMLError): string =>
  syntaxWords[code] ?? message.split('\n')[0].replace(/ at line \d+, column \d+:?$/, '')

/**
 * The file that a name of a bundled one, or a path, means. Throws a {@link UsageError} where there is none, which begins
 * with `where` it is named.
 */
export const yamlFileOf = (nameOrPath: string, folder: string, what: string, where = ''): string => {
  const bundled = join(folder, `${nameOrPath}.yaml`)
  if (/^[\w-]+$/.test(nameOrPath) && existsSync(bundled)) return bundled
  if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath
  const names = bundledIn(folder).join(', ')
  const why = existsSync(nameOrPath) ? `${nameOrPath} is a folder, and no ${what}` : `there is no ${what} ${nameOrPath}`
  throw new UsageError(`${where}${why}: give the path of a YAML file, or one of ${names}`)
}

/** Reads a YAML file of that kind. Throws a {@link UsageError} that names file and line. */
export const readYaml = (file: string, kind: string, mostBytes = usualMostBytes): YamlFile => {
  if (statSync(file).size > mostBytes) throw new UsageError(`${file}: ${kind} file has at most ${mostBytes / 1024} KiB`)
  return parseYaml(readFileSync(file, 'utf8'), file, kind)
}

/** The same of a file that an option names. Throws a {@link UsageError} where there is none, which begins with the option. */
export const readNamedYaml = (option: string, file: string, kind: string): YamlFile => {
  if (!existsSync(file)) throw new UsageError(`${option} ${file}: there is no such file`)
  if (!statSync(file).isFile()) throw new UsageError(`${option} ${file}: ${fileReasons.EISDIR}`)
  return readYaml(file, kind)
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
    throw new UsageError(`${file}: ${whyOf(cause)}`)
  }
}

/** Long, with digits and no word in it: a secret rather than the name of a variable. */
const looksLikeSecret = (text: string): boolean => text.length >= 20 && /\d/.test(text) && !text.includes('_')

const form = /^[A-Z_][A-Z0-9_]{0,99}$/

/** Whether a text is fit to name a variable of the environment, and no secret that was typed in its place. */
export const isVariableName = (text: string): boolean => form.test(text) && !looksLikeSecret(text)

/** The name of a variable of the environment. Where there is none the sentence shows nothing of what stands there. */
export const variableName = z
  .string()
  .refine(isVariableName, {
    error:
      'has to be the name of an environment variable, such as ACME_KEY_FREE, and never the secret itself (what stands here is not shown)',
  })
  .meta({ pattern: form.source, title: 'a variable' })
