/** A moment as a log has it: its clock was cut off, so that the moment lies in [ms, ms + resolutionMs). */
export interface Moment {
  readonly ms: number
  readonly resolutionMs: number
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec'

/** How long a unit is whose fraction has so many digits: a second with three is told to 1 ms. */
const cutOffMs = (unitMs: number, digits: number): number => unitMs / 10 ** digits

/** What follows the whole seconds in a text: `.123+02:00`; a text without a zone is taken for UTC. */
const tail = /^(?:[.,](\d{1,9}))?\s*(?:Z|([+-])(\d\d):?(\d\d))?$/

const tailOf = (text: string) => {
  const found = tail.exec(text)
  if (!found) return null
  const [, fraction = '', sign, hours, minutes] = found
  const fractionMs = fraction === '' ? 0 : Number(`0.${fraction}`) * 1000
  const zoneMs = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  return { addMs: fractionMs - zoneMs, resolutionMs: cutOffMs(1000, fraction.length) }
}

/** `10/Oct/2026:13:55:36` as UTC; NaN where it is none. */
const commonLogSeconds = (text: string): number => {
  const month = months.indexOf(text.slice(3, 6)) / 3
  if (!Number.isInteger(month) || month < 0) return Number.NaN
  const [day, year, hour, minute, second] = [
    [0, 2],
    [7, 11],
    [12, 14],
    [15, 17],
    [18, 20],
  ].map(([from, to]) => Number(text.slice(from, to)))
  return Date.UTC(year, month, day, hour, minute, second)
}

/** Seconds from 1970 to 5138 are below it, milliseconds since 1973 are not. */
const leastEpochMs = 1e11

/** In seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size: a unit in milliseconds. */
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
  return { ms: value * unitMs, resolutionMs: Math.max(finestMs, cutOffMs(unitMs, digits)) }
}

const [commonLogLength, isoLength] = ['10/Oct/2026:13:55:36'.length, '2026-10-10T13:55:36'.length]

/**
 * Reads moments as logs write them: `10/Oct/2026:13:55:36 +0200`, with a fraction or without a zone, ISO 8601, and epochs.
 * Lines come in order, so the whole seconds, and what follows them, are mostly those of the line before.
 */
export const momentReader = (): ((text: string) => Moment | null) => {
  let [seconds, secondsMs] = ['', Number.NaN]
  let [after, known] = ['', tailOf('')]
  return (text) => {
    const isCommon = text.charCodeAt(2) === slash
    if (!isCommon && text.charCodeAt(4) !== hyphen) return epochMoment(text)
    const length = isCommon ? commonLogLength : isoLength
    const head = text.slice(0, length)
    // ISO 8601, as UTC; NaN where it is none.
    const isoMs = () => Date.parse(`${head.slice(0, 10)}T${head.slice(11, 19)}Z`)
    if (head !== seconds) [seconds, secondsMs] = [head, isCommon ? commonLogSeconds(head) : isoMs()]
    const rest = text.slice(length)
    if (rest !== after) [after, known] = [rest, tailOf(rest)]
    if (known === null || Number.isNaN(secondsMs)) return null
    return { ms: secondsMs + known.addMs, resolutionMs: known.resolutionMs }
  }
}

const [slash, hyphen] = ['/'.charCodeAt(0), '-'.charCodeAt(0)]

/** The most that a duration may be, as a log has it: cut off and rounded numbers are within a step of it. */
export const mostDuration = (text: string, unitMs: number): number | null => {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value) || value < 0) return null
  const point = text.indexOf('.')
  return value * unitMs + cutOffMs(unitMs, point < 0 ? 0 : text.length - point - 1)
}
