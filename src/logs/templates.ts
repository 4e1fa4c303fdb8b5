import { UsageError } from '../kit/usage-error.js'
import type { FieldName, FieldPlaces, Told } from './fields.js'

/** The variables of nginx that say what a field is; any other name may be given to a field by `--fields`. */
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
  client: 'client',
  key: 'key',
  address: 'address',
  plan: 'plan',
  at: 'at',
  start: 'start',
  end: 'end',
  s: 's',
  ms: 'ms',
  us: 'us',
  status: 'status',
  method: 'method',
  path: 'path',
  request: 'request',
}

/**
 * The variables of a template, each with the fields that it says and with what stands behind it; where that is empty, it goes on
 * to the end of the line. And what stands before the first.
 */
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
    const usual = usualFields[name]
    const fields = usual !== undefined && !given.includes(usual) ? [...asked, usual] : asked
    return { fields, until: literals[i + 1] }
  })
  if (parts.slice(0, -1).some(({ until }) => until === ''))
    throw new UsageError(`--format: two variables of ${template} stand next to each other: nothing tells them apart`)
  return { before: literals[0], parts }
}

const [backslash, quote] = ['\\'.charCodeAt(0), '"'.charCodeAt(0)]

/** Whether an odd number of backslashes stands before a place: Apache writes a quote as `\"` and a backslash as `\\`. */
const isEscaped = (text: string, at: number): boolean => {
  let first = at
  while (first > 0 && text.charCodeAt(first - 1) === backslash) first -= 1
  return (at - first) % 2 === 1
}

/** Where a literal begins, at `from` or behind it; an escaped quote ends nothing. */
const placeOf = (text: string, literal: string, from: number): number => {
  let at = text.indexOf(literal, from)
  if (literal.charCodeAt(0) !== quote) return at
  while (at > from && isEscaped(text, at)) at = text.indexOf(literal, at + 1)
  return at
}

/**
 * A parser of lines that are written as a template says, such as `log_format` of nginx: `$remote_addr [$time_local]`. A
 * variable ends where the literal behind it begins. What the template does not name may follow at the end. It takes the fields of a line; false where it is not of this form.
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
