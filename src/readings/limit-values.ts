import type { ApiContract, HeaderField, ResetUnit } from '../contract/api-contract.js'
import { type HeaderLine, headerValues } from '../evidence/exchange.js'
import { parseHttpDate } from '../kit/http-date.js'
import { decimalIn } from '../kit/json.js'

/** The fields of a contract that have one name: it may mean several things. */
export interface NamedFields {
  /** In lower case. */
  readonly name: string
  readonly fields: readonly HeaderField[]
}

/** The fields of a contract by name, in the order in which it first lists each. */
export const fieldsByName = (headers: ApiContract['headers']): readonly NamedFields[] => {
  const byName = new Map<string, HeaderField[]>()
  for (const field of headers) {
    const name = field.name.toLowerCase()
    byName.set(name, [...(byName.get(name) ?? []), field])
  }
  return [...byName].map(([name, fields]) => ({ name, fields }))
}

/** Values of a field of an answer, trimmed, one a line; none where it is absent. The name is in lower case. */
export type ValuesOf = (name: string) => readonly string[]

/** The values of an answer's headers by name. */
export const valuesOfHeaders = (headers: readonly HeaderLine[]): ValuesOf => {
  const byName = new Map<string, string[]>()
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const values = byName.get(name)
    if (values) values.push(value.trim())
    else byName.set(name, [value.trim()])
  }
  return (name) => byName.get(name) ?? []
}

/** A header that should be one number. */
export type NumberHeader =
  | { readonly state: 'absent' }
  | { readonly state: 'malformed'; readonly text: string }
  | {
      readonly state: 'number'
      readonly value: number
      readonly text: string
      /** Written with decimal digits only, and sent once. */
      readonly plain: boolean
    }

export interface RateHeaders {
  readonly limit: NumberHeader
  readonly remaining: NumberHeader
  readonly reset: NumberHeader
}

/** As much of a malformed value as a sentence of the report has room for, in characters. */
const mostShown = 80
const shown = (values: readonly string[]): string => values.join(', ').slice(0, mostShown)

/** A field that is not what it should be; as it came, as far as there is room to show it. */
export const malformed = (values: readonly string[]): NumberHeader & { readonly state: 'malformed' } => ({
  state: 'malformed',
  text: shown(values),
})

export const numberOf = (header: NumberHeader): number | undefined =>
  header.state === 'number' ? header.value : undefined

/** When a quota renews, as an answer shows it: seconds from the receipt of the answer, or since the epoch; fractions are kept. */
export type ResetReading =
  | Exclude<NumberHeader, { readonly state: 'number' }>
  | (Extract<NumberHeader, { readonly state: 'number' }> & { readonly from: 'now' | 'epoch' })

/** What is not there. */
export const absent = { state: 'absent' } as const

/** The one text that all lines of a field hold, or all members of its list (RFC 9110 §5.3); undefined where they differ. */
const oneText = (values: readonly string[], isList: boolean): { text: string; times: number } | undefined => {
  const members = isList ? values.flatMap((value) => value.split(',').map((member) => member.trim())) : values
  const [text] = members
  return members.every((member) => member === text) ? { text, times: members.length } : undefined
}

const isDigits = (text: string): boolean => /^\d+$/.test(text)

/** A field that should be one number: its values, trimmed, one a line. */
export const plainNumber = (values: readonly string[], isList = true): NumberHeader => {
  if (values.length === 0) return absent
  const one = oneText(values, isList)
  const value = one && decimalIn(one.text)
  if (!one || value === undefined) return malformed(values)
  return { state: 'number', value, text: one.text, plain: one.times === 1 && isDigits(one.text) }
}

/** `32/40`: 32 of 40 are used. What is left is below 0 where more was used. */
export const usedOfLimit = (values: readonly string[]): { limit: NumberHeader; remaining: NumberHeader } => {
  const one = oneText(values, true)
  const [used, limit, ...more] = one?.text.split('/') ?? []
  const [usedNumber, limitNumber] = [decimalIn(used ?? ''), decimalIn(limit ?? '')]
  if (!one || more.length > 0 || usedNumber === undefined || limitNumber === undefined) {
    return { limit: malformed(values), remaining: malformed(values) }
  }
  const plain = one.times === 1 && isDigits(used) && isDigits(limit)
  return {
    limit: { state: 'number', value: limitNumber, text: limit, plain },
    remaining: { state: 'number', value: limitNumber - usedNumber, text: one.text, plain },
  }
}

const durationPart = /(\d+(?:\.\d+)?)(ns|us|µs|μs|ms|s|m|h|d)/g
const wholeDuration = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|s|m|h|d))+$/

const secondsOf: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
}

/** No duration in a header needs more characters. */
const mostDurationCharacters = 40

/** A duration as Go writes it and OpenAI shows it (`6m0s`, `1.5s`, `12ms`, `1d2h`), in seconds; undefined for any other text. */
export const durationIn = (text: string): number | undefined => {
  if (text === '0') return 0
  if (text.length > mostDurationCharacters || !wholeDuration.test(text)) return undefined
  let seconds = 0
  for (const [, count, unit] of text.matchAll(durationPart)) seconds += Number(count) * secondsOf[unit]
  return Math.round(seconds * 1e9) / 1e9
}

const isoMoment = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)$/i

const offsetSeconds = (zone: string): number | undefined => {
  if (zone === 'Z' || zone === 'z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', '') || '0')]
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60)
}

/**
 * A moment in ISO 8601 with its zone (`2026-01-15T10:30:00Z`, `2026-01-15T12:30+02:00`), as seconds since the epoch;
 * undefined for any other text, a time without a zone among them, for that says no moment.
 */
export const isoMomentIn = (text: string): number | undefined => {
  const parts = isoMoment.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0))
  const offset = offsetSeconds(parts[8])
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!exists || hour > 23 || minute > 59 || second > 60 || offset === undefined) return undefined
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second + Number(parts[7] ?? 0) - offset
}

/** How the text of each unit is read: into seconds, and from where they count. */
export const resetUnitReaders: Readonly<
  Record<
    ResetUnit,
    { readonly from: 'now' | 'epoch'; readonly isList: boolean; seconds(text: string): number | undefined }
  >
> = {
  'epoch-s': { from: 'epoch', isList: true, seconds: decimalIn },
  'epoch-ms': { from: 'epoch', isList: true, seconds: (text) => thousandth(decimalIn(text)) },
  'delta-s': { from: 'now', isList: true, seconds: decimalIn },
  'delta-ms': { from: 'now', isList: true, seconds: (text) => thousandth(decimalIn(text)) },
  duration: { from: 'now', isList: true, seconds: durationIn },
  'iso-8601': { from: 'epoch', isList: false, seconds: isoMomentIn },
  'http-date': { from: 'epoch', isList: false, seconds: (text) => thousandth(parseHttpDate(text)) },
}

const thousandth = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000)

const isNumeric = (unit: ResetUnit): boolean => /-m?s$/.test(unit)

/** A field that should name a moment, in its unit. */
export const plainReset = (values: readonly string[], unit: ResetUnit, mayBeList = true): ResetReading => {
  if (values.length === 0) return absent
  const { from, isList, seconds } = resetUnitReaders[unit]
  const one = oneText(values, isList && mayBeList)
  const value = one && seconds(one.text)
  if (!one || value === undefined) return malformed(values)
  const plain = one.times === 1 && (!isNumeric(unit) || isDigits(one.text))
  return { state: 'number', value, text: one.text, plain, from }
}

/** What `Retry-After` asks for (RFC 9110 §10.2.3). A number that breaks its grammar (`2.5`) still names a wait. */
export type RetryAfter =
  | { readonly form: 'absent' }
  | { readonly form: 'seconds'; readonly seconds: number }
  | { readonly form: 'date'; readonly epochMs: number }
  | { readonly form: 'malformed'; readonly text: string; readonly seconds: number | null }

export const readRetryAfter = (headers: readonly HeaderLine[]): RetryAfter => {
  const values = headerValues(headers, 'Retry-After').map((value) => value.trim())
  if (values.length === 0) return { form: 'absent' }
  const [text] = values
  if (values.length === 1 && /^\d+$/.test(text)) return { form: 'seconds', seconds: Number(text) }
  const epochMs = values.length === 1 ? parseHttpDate(text) : undefined
  if (epochMs !== undefined) return { form: 'date', epochMs }
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
  return { form: 'malformed', text: shown(values), seconds }
}

/**
 * For how long to wait after an answer until the reset that it shows, in seconds; undefined where it shows none.
 *
 * @param receivedEpochS when the answer was received, in seconds since the epoch on the target's clock.
 */
export const waitUntilReset = (reset: ResetReading, receivedEpochS: number): number | undefined => {
  if (reset.state !== 'number') return undefined
  return Math.max(0, reset.from === 'now' ? reset.value : reset.value - receivedEpochS)
}
