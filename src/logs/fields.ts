import { UsageError } from '../kit/usage-error.js'
import { suggestion } from '../kit/words.js'

/**
 * What a line may contain. `start` and `end` are moments of its request; `at` is one of them, unknown which. `s`, `ms` and
 * `us` are its duration. `client` is an address with its port. `request` is `GET /items HTTP/1.1`, instead of `method` and
 * `path`.
 */
const fieldNames = [
  'key',
  'address',
  'client',
  'plan',
  'at',
  'start',
  'end',
  's',
  'ms',
  'us',
  'status',
  'method',
  'path',
  'request',
] as const
export type FieldName = (typeof fieldNames)[number]

/** Where each field is in a line: a variable of a text template, `$request_time`, or a path, `$.http.status`. */
export type FieldPlaces = Readonly<Partial<Record<FieldName, string>>>

export type Told = Partial<Record<FieldName, string>>

const isField = (name: string): name is FieldName => fieldNames.some((each) => each === name)

/** Reads `key=$.apiKey, at=$.ts, ms=$.duration, status=$.code`. Throws a usage error if it can't. */
export const fieldPlaces = (text: string): FieldPlaces => {
  const places: Partial<Record<FieldName, string>> = {}
  for (const part of text.split(',')) {
    const [name, place, ...more] = part.split('=').map((each) => each.trim())
    if (!isField(name)) throw new UsageError(`--fields: no line has a ${name}; ${suggestion(name, fieldNames)}`)
    if (!place?.startsWith('$') || more.length > 0)
      throw new UsageError(`--fields: ${name} needs a place: ${name}=$.path of JSON, or ${name}=$variable of a text`)
    places[name] = place
  }
  return places
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Headers as HAR has them: a list of names and values. */
const inList = (list: readonly unknown[], name: string): unknown =>
  list.find((each) => isObject(each) && String(each.name).toLowerCase() === name.toLowerCase())

/** The value at a path of names. A name may itself have dots: `$.http.status` also matches `{"http.status": 200}`. */
const valueAt = (value: unknown, names: readonly string[]): unknown => {
  if (names.length === 0) return value
  const [first, ...rest] = names
  if (Array.isArray(value)) {
    const found = inList(value, first)
    return isObject(found) ? valueAt(found.value, rest) : undefined
  }
  if (!isObject(value)) return undefined
  return first in value ? valueAt(value[first], rest) : value[names.join('.')]
}

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : undefined
}

/** Extracts the fields of a line that was read as JSON or as a row of a table. */
export const fieldsFrom = (places: FieldPlaces): ((value: unknown, told: Told) => void) => {
  const paths = Object.entries(places).map(
    ([name, place]) => [name as FieldName, place.replace(/^\$\.?/, '').split('.')] as const,
  )
  return (value, told) => {
    for (const [name, path] of paths) told[name] = textOf(valueAt(value, path))
  }
}

/** nginx's variables for the fields; `--fields` can assign any other name. */
const usualFields: Readonly<Record<string, FieldName>> = {
  remote_addr: 'address',
  remote_user: 'key',
  time_local: 'end',
  time_iso8601: 'end',
  msec: 'end',
  request_time: 's',
  request_method: 'method',
  request_uri: 'path',
  uri: 'path',
}

/** The literal before the first variable of a template, and each variable with its fields and the literal after it. */
const partsOf = (template: string, places: FieldPlaces) => {
  const pieces = template.split(/\$(?:\{(\w+)\}|(\w+))/)
  const names = pieces.flatMap((each, i) => (i % 3 === 0 ? [] : (each ?? [])))
  const literals = pieces.filter((_, i) => i % 3 === 0)
  const unknown = Object.values(places).find((place) => !names.includes(place.replace(/^\$\.?/, '')))
  if (unknown !== undefined)
    throw new UsageError(`--fields: the lines have no ${unknown}: they are written as ${template}`)
  const given = Object.keys(places) as FieldName[]
  const parts = names.map((name, i) => {
    const asked = given.filter((field) => places[field]?.replace(/^\$\.?/, '') === name)
    const usual = isField(name) ? name : usualFields[name]
    const fields = usual !== undefined && !given.includes(usual) ? [...asked, usual] : asked
    return { fields, until: literals[i + 1] }
  })
  if (parts.slice(0, -1).some(({ until }) => until === ''))
    throw new UsageError(`--format: two variables of ${template} stand next to each other: nothing separates them`)
  return { before: literals[0], parts }
}

const [backslash, quote] = ['\\'.charCodeAt(0), '"'.charCodeAt(0)]

/** Whether an odd number of backslashes precedes a place: Apache writes a quote as `\"` and a backslash as `\\`. */
const isEscaped = (text: string, at: number): boolean => {
  let first = at
  while (first > 0 && text.charCodeAt(first - 1) === backslash) first -= 1
  return (at - first) % 2 === 1
}

/** Where a literal begins, at `from` or after it; an escaped quote does not count. */
const placeOf = (text: string, literal: string, from: number): number => {
  let at = text.indexOf(literal, from)
  if (literal.charCodeAt(0) !== quote) return at
  while (at > from && isEscaped(text, at)) at = text.indexOf(literal, at + 1)
  return at
}

/**
 * A parser of lines in the form of a template, such as nginx's `log_format`: `$remote_addr [$time_local]`. A variable ends
 * where the literal after it begins; more text may follow at the end. It extracts a line's fields, or returns false.
 */
export const templateParser = (template: string, places: FieldPlaces) => {
  const { before, parts } = partsOf(template, places)
  const last = parts.length - 1
  return (line: string, told: Told): boolean => {
    if (!line.startsWith(before)) return false
    let at = before.length
    for (let i = 0; i <= last; i += 1) {
      const { fields, until } = parts[i]
      const end = until === '' ? line.length : placeOf(line, until, at)
      if (end < 0) return false
      if (fields.length > 0) {
        const value = line.slice(at, end)
        for (let each = 0; each < fields.length; each += 1) told[fields[each]] = value
      }
      at = end + until.length
    }
    return true
  }
}
