import type { ApiContract, HeaderField, ResetUnit } from '../contract/api-contract.js'
import { type HeaderLine, headerValues } from '../evidence/exchange.js'
import { groupedBy } from '../kit/grouped-by.js'
import { parseHttpDate } from '../kit/http-date.js'

/** The fields of a contract that share a name: one name may mean several things. */
export interface NamedFields {
  readonly name: string
  readonly fields: readonly HeaderField[]
}

/** The fields of a contract by name, in order of first listing. */
export const fieldsByName = (headers: ApiContract['headers']): readonly NamedFields[] =>
  [...groupedBy(headers, ({ name }) => name.toLowerCase())].map(([name, fields]) => ({ name, fields }))

/** The values of an answer's headers, trimmed, one per line, by lower-case name. */
export const valuesByName = (headers: readonly HeaderLine[]): ReadonlyMap<string, readonly string[]> => {
  const byName = new Map<string, string[]>()
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    const values = byName.get(name)
    if (values) values.push(value.trim())
    else byName.set(name, [value.trim()])
  }
  return byName
}

interface NumberReading {
  readonly state: 'number'
  readonly value: number
  /** The text as written; the value itself, if it was derived rather than written. */
  readonly text: string
  /** Written with decimal digits only, and sent once. A load's row records only the latter. */
  readonly plain: boolean
  /** For a moment counted from the answer's receipt, in seconds; others count from the epoch. */
  readonly from?: 'now'
}

export type NumberHeader =
  | { readonly state: 'absent' }
  | { readonly state: 'malformed'; readonly text: string }
  | NumberReading

/** One policy of a `RateLimit-Policy` field: `"permin";q=50;w=60` (draft 11), `50;w=60` (drafts 03 to 07). */
export interface Policy {
  /** Undefined in drafts before 08, where policies have no name. */
  readonly name: string | undefined
  readonly quota: NumberHeader
  /** In seconds; undefined if it names none. */
  readonly window: number | undefined
  /** What is counted: `requests` unless it names something else. */
  readonly unit: string
}

/** What one answer says about one quota; fractions are kept. */
export interface AnswerReading {
  readonly limit: NumberHeader
  readonly remaining: NumberHeader
  /** When the quota renews, in seconds. */
  readonly reset: NumberHeader
  readonly retryAfter: RetryAfter
  /** The policy that it names for the quota; not recorded for a load's row. */
  readonly policy?: Policy
  /** Whether its fields, which have room for one quota, show another; then only the limit is known of this one. */
  readonly showsAnother?: boolean
}

/** How much of a malformed value fits into a sentence of the report, in characters. */
const mostShown = 80
const shown = (values: readonly string[]): string => values.join(', ').slice(0, mostShown)

/** A field of the wrong form, as it came, cut to the space for showing it. */
export const malformed = (values: readonly string[]): NumberHeader & { readonly state: 'malformed' } => ({
  state: 'malformed',
  text: shown(values),
})

export const numberOf = (header: NumberHeader): number | undefined =>
  header.state === 'number' ? header.value : undefined

export const absent = { state: 'absent' } as const

/** The one text that all lines of a field hold, or all members of its list (RFC 9110 §5.3); undefined if they differ. */
const oneText = (values: readonly string[], isList: boolean): { text: string; times: number } | undefined => {
  const members = isList ? values.flatMap((value) => value.split(',').map((member) => member.trim())) : values
  const [text] = members
  return members.every((member) => member === text) ? { text, times: members.length } : undefined
}

/** The digits of the largest 64-bit integer, and a sign: no header needs a longer number. */
const mostCharacters = 20

/** The number that a header's text denotes (`60`, `-1`, `2.5`); undefined for any other text (`6e1`, `60;w=60`). */
export const numberIn = (text: string): number | undefined =>
  text.length <= mostCharacters && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined

const isDigits = (text: string): boolean => /^\d+$/.test(text)

/** A number derived from the one that was read. */
export const withValue = (from: NumberReading, value: number): NumberReading => ({
  ...from,
  value,
  text: value === from.value ? from.text : String(value),
})

/** Reads the trimmed values of a field, one per line, that should be one number, or that `read` turns into one. */
export const plainNumber = (values: readonly string[], isList = true, read = numberIn): NumberHeader => {
  if (values.length === 0) return absent
  const one = oneText(values, isList)
  const value = one && read(one.text)
  if (!one || value === undefined) return malformed(values)
  const isNumber = read === numberIn
  const plain = one.times === 1 && (!isNumber || isDigits(one.text))
  return { state: 'number', value, text: isNumber ? one.text : String(value), plain }
}

/** `32/40`: 32 of 40 are used. Remaining is below 0 if more was used. */
export const usedOfLimit = (values: readonly string[]): { limit: NumberHeader; remaining: NumberHeader } => {
  const one = oneText(values, true)
  const [used = '', limit = '', ...more] = one?.text.split('/') ?? []
  const [usedNumber, limitNumber] = [numberIn(used), numberIn(limit)]
  if (!one || more.length > 0 || usedNumber === undefined || limitNumber === undefined)
    return { limit: malformed(values), remaining: malformed(values) }
  const plain = one.times === 1 && isDigits(used) && isDigits(limit)
  const number = (value: number, text = String(value)) => ({ state: 'number', value, text, plain }) as const
  return { limit: number(limitNumber, limit), remaining: number(limitNumber - usedNumber) }
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

/** A duration as Go writes it and OpenAI shows it (`6m0s`, `1.5s`, `12ms`, `1d2h`), in seconds; else undefined. */
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
 * undefined for any other text, also for a time without a zone, which names no moment.
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

/** For each unit: how its text is read, how many of it make a second, and from where it counts. */
export const resetUnitReaders: Readonly<
  Record<
    ResetUnit,
    { readonly from: 'now' | 'epoch'; readonly isList: boolean; readonly perSecond: number; read: typeof numberIn }
  >
> = {
  'epoch-s': { from: 'epoch', isList: true, perSecond: 1, read: numberIn },
  'epoch-ms': { from: 'epoch', isList: true, perSecond: 1000, read: numberIn },
  'delta-s': { from: 'now', isList: true, perSecond: 1, read: numberIn },
  'delta-ms': { from: 'now', isList: true, perSecond: 1000, read: numberIn },
  duration: { from: 'now', isList: true, perSecond: 1, read: durationIn },
  'iso-8601': { from: 'epoch', isList: false, perSecond: 1, read: isoMomentIn },
  'http-date': { from: 'epoch', isList: false, perSecond: 1000, read: parseHttpDate },
}

/** A field that should name a moment, in its unit. */
export const plainReset = (values: readonly string[], unit: ResetUnit, mayBeList = true): NumberHeader => {
  const { from, isList, perSecond, read } = resetUnitReaders[unit]
  const reading = plainNumber(values, isList && mayBeList, read)
  if (reading.state !== 'number') return reading
  return { ...withValue(reading, reading.value / perSecond), ...(from === 'now' && { from }) }
}

/** What `Retry-After` says (RFC 9110 §10.2.3). A number that breaks its grammar (`2.5`) still names a wait. */
export type RetryAfter =
  | { readonly form: 'absent' }
  | { readonly form: 'seconds'; readonly seconds: number }
  | { readonly form: 'date'; readonly epochMs: number }
  | { readonly form: 'malformed'; readonly text: string; readonly seconds: number | null }

/** The seconds that Retry-After names (`30`, `2.5`), else undefined; used for single answers and for load rows alike. */
export const waitSecondsIn = (text: string): number | undefined =>
  /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined

export const readRetryAfter = (headers: readonly HeaderLine[], name = 'Retry-After'): RetryAfter => {
  const values = headerValues(headers, name).map((value) => value.trim())
  if (values.length === 0) return { form: 'absent' }
  const [text] = values
  const seconds = waitSecondsIn(text)
  if (values.length === 1 && seconds !== undefined && isDigits(text)) return { form: 'seconds', seconds }
  const epochMs = values.length === 1 ? parseHttpDate(text) : undefined
  if (epochMs !== undefined) return { form: 'date', epochMs }
  return { form: 'malformed', text: shown(values), seconds: seconds ?? null }
}

/** Longer than any wait, in seconds: what seems years ahead is a moment in another unit than agreed. */
const beyondWaitsS = 366 * 86_400

/**
 * How long to wait after an answer until the reset that it shows, in seconds; undefined if it shows none, or one in another
 * unit.
 *
 * @param receivedEpochS when the answer was received, in seconds since the epoch on the target's clock.
 */
export const waitUntilReset = (reset: NumberHeader, receivedEpochS: number): number | undefined => {
  if (reset.state !== 'number') return undefined
  const seconds = reset.from === 'now' ? reset.value : reset.value - receivedEpochS
  return seconds > beyondWaitsS ? undefined : Math.max(0, seconds)
}

/** A header's number as a column cell: NaN if absent, Infinity if present but not a number. */
export const cellOf = (header: NumberHeader): number =>
  header.state === 'number' ? header.value : header.state === 'absent' ? Number.NaN : Number.POSITIVE_INFINITY
