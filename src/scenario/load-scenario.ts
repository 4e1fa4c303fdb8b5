import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { UsageError } from '../kit/usage-error.js'
import { type Scenario, scenarioSchema } from './scenario.js'

const mostBytes = 256 * 1024

/** What is known of the probes that a scenario may name: their settings, each with its schema. */
export type KnownProbes = ReadonlyMap<string, z.ZodObject>

export interface LoadedScenario extends Scenario {
  readonly file: string
}

/** The scenarios that come with quotaspec, by name. */
const bundledScenarios = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()

const fileOf = (nameOrPath: string, folder: string): string => {
  const bundled = join(folder, `${nameOrPath}.yaml`)
  if (/^[\w-]+$/.test(nameOrPath) && existsSync(bundled)) return bundled
  if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath
  const names = bundledScenarios(folder).join(', ')
  throw new UsageError(`there is no scenario ${nameOrPath}: give the path of a YAML file, or one of ${names}`)
}

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

/** Edits between two words, to guess what a misspelt one was meant to be. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]
}

/** "did you mean …" where one of the known words is near, else the list of them. */
export const suggestion = (word: string, known: readonly string[]): string => {
  const [nearest] = known.map((each) => ({ each, edits: distance(word, each) })).sort((a, b) => a.edits - b.edits)
  return nearest && nearest.edits <= Math.max(2, word.length / 3)
    ? `did you mean ${nearest.each}?`
    : `known are ${known.join(', ')}`
}

interface Place {
  readonly file: string
  readonly document: Document
  readonly lines: LineCounter
}

const refuse = (
  { file, document, lines }: Place,
  issue: z.core.$ZodIssue,
  base: readonly PropertyKey[],
  known: readonly string[],
): never => {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys
    const line = lineOfKey(document, lines, path, key)
    throw new UsageError(
      `${file}:${line}: ${[...path, key].join('.')} is not a field of a scenario: ${suggestion(key, known)}`,
    )
  }
  const line = lineOf(document, lines, path)
  throw new UsageError(`${file}:${line}: ${path.join('.') || 'the file'}: ${issue.message}`)
}

const check = <S extends z.ZodObject>(
  place: Place,
  schema: S,
  value: unknown,
  base: readonly PropertyKey[],
): z.infer<S> => {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : refuse(place, parsed.error.issues[0], base, Object.keys(schema.shape))
}

const parse = (file: string): Place & { value: unknown } => {
  if (statSync(file).size > mostBytes)
    throw new UsageError(`${file}: a scenario file has at most ${mostBytes / 1024} KiB`)
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, schema: 'core', customTags: [] })
  const [error] = document.errors
  if (error) throw new UsageError(`${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0]}`)
  try {
    // An alias may stand in for little; one that explodes is refused.
    return { file, document, lines, value: document.toJS({ maxAliasCount: 20 }) }
  } catch (cause) {
    throw new UsageError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/**
 * Reads a scenario by its name or path and checks every field of it, the settings of each probe included.
 * Throws a {@link UsageError} that names file, line and field.
 */
export const loadScenario = (nameOrPath: string, folder: string, known: KnownProbes): LoadedScenario => {
  const place = parse(fileOf(nameOrPath, folder))
  const scenario = check(place, scenarioSchema, place.value, [])
  const probes = scenario.probes.map(({ probe, ...settings }, index) => {
    const schema = known.get(probe)
    if (!schema) {
      const line = lineOf(place.document, place.lines, ['probes', index, 'probe'])
      throw new UsageError(
        `${place.file}:${line}: probes.${index}.probe: there is no probe ${probe}: ${suggestion(probe, [...known.keys()])}`,
      )
    }
    return { probe, ...check(place, schema, settings, ['probes', index]) }
  })
  return { ...scenario, probes, file: place.file }
}
