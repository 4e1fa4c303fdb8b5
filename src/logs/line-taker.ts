import { UsageError } from '../kit/usage-error.js'
import type { Told } from './fields.js'
import type { LineReader } from './formats.js'

export interface Clock {
  /** How far the log's clock may be off from those of the other logs. */
  readonly errorMs: number
  /** The longest that a request takes, for lines that do not say it. */
  readonly longestMs: number | undefined
}

const durations = [
  ['s', 1000],
  ['ms', 1],
  ['us', 1e-3],
] as const

/** Some logs write milliseconds that are always 0: if all moments are whole seconds, so is the clock's resolution. */
const wholeSecondMs = 1000
/** How many moments have to be whole seconds for that to be no accident. */
const enoughMoments = 5

/** No request takes this long: a line that goes back by more comes from a clock that was set. */
const mostBackMs = 10 * 60_000

/** A local clock without a zone skips an hour of a spring night: the hour, the longest pause with it, and the last hour. */
const [summerMs, quietMs, lastHourOfNight] = [3_600_000, 5 * 60_000, 4]

type Unread = 'not in this format' | 'no moment' | 'no status' | 'no duration' | 'its time goes back' | 'its time jumps'

/** A moment in a log: its clock was cut off, so the moment lies in [ms, ms + resolutionMs). */
interface Moment {
  readonly ms: number
  readonly resolutionMs: number
  readonly hasZone: boolean
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec'

/** The resolution of a unit whose fraction has this many digits: 1 ms for a second with three. */
const cutOffMs = (unitMs: number, digits: number): number => unitMs / 10 ** digits

/** What follows the whole seconds in a text: `.123+02:00`; a text without a zone is taken for UTC. */
const tail = /^(?:[.,](\d{1,9}))?\s*(Z|([+-])(\d\d):?(\d\d))?$/

const tailOf = (text: string) => {
  const found = tail.exec(text)
  if (!found) return null
  const [, fraction = '', zone, sign, hours, minutes] = found
  const fractionMs = fraction === '' ? 0 : Number(`0.${fraction}`) * 1000
  const zoneMs = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  return { addMs: fractionMs - zoneMs, resolutionMs: cutOffMs(1000, fraction.length), hasZone: zone !== undefined }
}

/** `10/Oct/2026:13:55:36` as UTC; NaN if it is none. */
const commonLogSeconds = (text: string): number => {
  const month = months.indexOf(text.slice(3, 6)) / 3
  if (!Number.isInteger(month) || month < 0) return Number.NaN
  const numberAt = (from: number, to: number) => Number(text.slice(from, to))
  return Date.UTC(numberAt(7, 11), month, numberAt(0, 2), numberAt(12, 14), numberAt(15, 17), numberAt(18, 20))
}

/** Seconds from 1970 to 5138 are below it, milliseconds since 1973 are not. */
const leastEpochMs = 1e11

/** The unit of a number since 1970, in milliseconds: seconds, milli-, micro- and nanoseconds are told apart by size. */
const epochUnitMs = (value: number): number => {
  if (value < leastEpochMs) return 1000
  if (value < leastEpochMs * 1000) return 1
  return value < leastEpochMs * 1e6 ? 1e-3 : 1e-6
}

/** Doubles hold today's moments to a quarter of a microsecond: nothing finer is believed. */
const finestMs = 1e-3

const epochMoment = (text: string): Moment | null => {
  const value = Number(text)
  const point = text.indexOf('.')
  const digits = point < 0 ? 0 : text.length - point - 1
  const unitMs = epochUnitMs(value)
  if (!(value > 0) || !Number.isFinite(value)) return null
  return { ms: value * unitMs, resolutionMs: Math.max(finestMs, cutOffMs(unitMs, digits)), hasZone: true }
}

const [commonLogLength, isoLength] = ['10/Oct/2026:13:55:36'.length, '2026-10-10T13:55:36'.length]

/**
 * Reads moments as logs write them: `10/Oct/2026:13:55:36 +0200`, with a fraction or without a zone, ISO 8601, and epochs.
 * Lines come in order, so the whole seconds, and what follows them, are mostly those of the line before.
 */
const momentReader = (): ((text: string) => Moment | null) => {
  let [seconds, secondsMs] = ['', Number.NaN]
  let [after, known] = ['', tailOf('')]
  return (text) => {
    const isCommon = text.charCodeAt(2) === slash
    if (!isCommon && text.charCodeAt(4) !== hyphen) return epochMoment(text)
    const length = isCommon ? commonLogLength : isoLength
    const head = text.slice(0, length)
    // ISO 8601, as UTC; NaN if it is none.
    const isoMs = () => Date.parse(`${head.slice(0, 10)}T${head.slice(11, 19)}Z`)
    if (head !== seconds) [seconds, secondsMs] = [head, isCommon ? commonLogSeconds(head) : isoMs()]
    const rest = text.slice(length)
    if (rest !== after) [after, known] = [rest, tailOf(rest)]
    if (known === null || Number.isNaN(secondsMs)) return null
    return { ms: secondsMs + known.addMs, resolutionMs: known.resolutionMs, hasZone: known.hasZone }
  }
}

const [slash, hyphen] = ['/'.charCodeAt(0), '-'.charCodeAt(0)]

/** The longest real duration behind a logged one: truncated and rounded numbers are within one step. */
const mostDuration = (text: string, unitMs: number): number | null => {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value) || value < 0) return null
  const point = text.indexOf('.')
  return value * unitMs + cutOffMs(unitMs, point < 0 ? 0 : text.length - point - 1)
}

/** Takes the lines of one log. `resolutionMs`: the clock's best resolution, whatever its digits suggest. */
export const lineTaker = (file: string, read: LineReader, clock: Clock, resolutionMs: number) => {
  const moment = momentReader()
  let told: Told = {}
  let [latestMs, isLocal] = [Number.NEGATIVE_INFINITY, false]
  // The request of a line; without method and path if lines don't have them.
  const taken = {
    sentMs: 0,
    receivedMs: 0,
    status: 0,
    key: '',
    address: '',
    plan: undefined as string | undefined,
    method: undefined as string | undefined,
    path: undefined as string | undefined,
  }
  const durationMs = (): number | undefined => {
    for (const [field, unitMs] of durations) {
      const text = told[field]
      if (text !== undefined) return mostDuration(text, unitMs) ?? clock.longestMs
    }
    if (clock.longestMs === undefined && told.end === undefined)
      throw new UsageError(
        `${file}: its lines do not say how long a request took: name the field (ms=…), or the longest that one takes: --longest 30s`,
      )
    return clock.longestMs
  }

  const within = ({ start, end, at }: Told): Unread | null => {
    const known = (text: string | undefined): Moment | null => (text === undefined ? null : moment(text))
    const [began, ended, either] = [known(start), known(end), known(at)]
    const stepMs = (each: Moment) => Math.max(each.resolutionMs, resolutionMs)
    const shown = began ?? ended ?? either
    isLocal = shown?.hasZone === false
    if (began && ended) {
      taken.sentMs = began.ms - clock.errorMs
      taken.receivedMs = Math.max(began.ms, ended.ms) + stepMs(ended) + clock.errorMs
      return null
    }
    if (shown === null) return 'no moment'
    const tookMs = durationMs()
    if (tookMs === undefined) return 'no duration'
    // If it is unknown whether this is the beginning or the end, it may be either.
    taken.sentMs = shown.ms - (began ? 0 : tookMs) - clock.errorMs
    taken.receivedMs = shown.ms + stepMs(shown) + (ended ? 0 : tookMs) + clock.errorMs
    return null
  }

  return {
    taken,
    /** Reads a line into `taken` and returns null; else `none` if it is no request, or why it is unreadable. */
    take(text: string): Unread | 'none' | null {
      told = {}
      const became = read(text, told)
      if (became === 'none') return 'none'
      if (became === 'unread') return 'not in this format'
      const status = Number(told.status)
      if (told.status === undefined || told.status === '' || !(status >= 0 && status < 1000)) {
        if (told.status !== '-') return 'no status'
      }
      const problem = within(told)
      if (problem) return problem
      if (taken.receivedMs < latestMs - mostBackMs - (clock.longestMs ?? 0)) return 'its time goes back'
      const aheadMs = taken.receivedMs - latestMs
      latestMs = Math.max(latestMs, taken.receivedMs)
      const leaps = isLocal && aheadMs >= summerMs && aheadMs < summerMs + quietMs
      if (leaps && new Date(latestMs).getUTCHours() <= lastHourOfNight) return 'its time jumps'
      taken.status = Number.isNaN(status) ? 0 : status
      taken.key = told.key ?? ''
      taken.address = told.address ?? addressOf(told.client ?? '')
      taken.plan = told.plan
      ;[taken.method, taken.path] = askedIn(told)
      return null
    },
  }
}

/** `10.0.1.2:33317` without its port and without a system log's prefix. */
const addressOf = (client: string): string => client.slice(client.lastIndexOf(' ') + 1).replace(/:\d+$/, '')

const askedIn = ({ request, method, path }: Told): [string | undefined, string | undefined] => {
  if (request === undefined) return [path === undefined ? undefined : (method ?? 'GET'), path]
  const space = request.indexOf(' ')
  const end = request.indexOf(' ', space + 1)
  return [request.slice(0, Math.max(0, space)), request.slice(space + 1, end < 0 ? undefined : end)]
}

/** The text of a line's moment; the beginning, if it has both. */
export const momentIn = ({ start, end, at }: Told): string | undefined => start ?? end ?? at

/** A log clock's best resolution, by its first lines: a second if all moments are whole seconds. */
export const clockStepMs = (read: LineReader, sample: readonly string[]): number => {
  const moment = momentReader()
  const moments = sample.flatMap((text) => {
    const told: Told = {}
    if (read(text, told) !== 'told') return []
    return moment(momentIn(told) ?? '') ?? []
  })
  const areWhole = moments.length >= enoughMoments && moments.every(({ ms }) => ms % wholeSecondMs === 0)
  return areWhole ? wholeSecondMs : 0
}
