import { UsageError } from '../kit/usage-error.js'
import { suggestion } from '../kit/words.js'

/**
 * What a line may tell. `start` and `end` are moments of its request; `at` is one of them, and nobody says which. `s`, `ms`
 * and `us` say how long it took. `client` is an address with its port. `request` is `GET /items HTTP/1.1`, in place of `method` and `path`.
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

/** Where each field stands in a line: a variable of a line of text, `$request_time`, or a path, `$.http.status`. */
export type FieldPlaces = Readonly<Partial<Record<FieldName, string>>>

/** The texts of a line, by field; absent where the line does not tell it. */
export type Told = Partial<Record<FieldName, string>>

const isField = (name: string): name is FieldName => fieldNames.some((each) => each === name)

/** Reads `key=$.apiKey, at=$.ts, ms=$.duration, status=$.code`. Throws a usage error where it can't. */
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

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Headers as HAR has them: a list of names and values. */
const inList = (list: readonly unknown[], name: string): unknown =>
  list.find((each) => isObject(each) && String(each.name).toLowerCase() === name.toLowerCase())

/** What stands at a path of names. A name may itself have dots: `$.http.status` is `{"http.status": 200}` as well. */
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

/** Takes the fields of a line that was read as JSON, or as a row of a table. */
export const fieldsFrom = (places: FieldPlaces): ((value: unknown, told: Told) => void) => {
  const paths = Object.entries(places).map(
    ([name, place]) => [name as FieldName, place.replace(/^\$\.?/, '').split('.')] as const,
  )
  return (value, told) => {
    for (const [name, path] of paths) told[name] = textOf(valueAt(value, path))
  }
}
