import type { ResetUnit } from '../../contract/api-contract.js'
import type { Concluded } from '../../contract/discovered.js'
import { decimalIn } from '../../kit/decimal.js'
import { parseHttpDate } from '../../kit/http-date.js'
import { durationIn, isoMomentIn } from '../limit-values.js'
import { niceSpanMs } from './nice-spans.js'
import { plain, type SeenValue } from './seen-answer.js'

/** A reset is at most a month ahead; one that has just passed is behind. Between the clocks there may be an hour. */
const mostAheadS = 32 * 86_400
const mostBehindS = 3_600

/** So long a countdown has to be watched to tell seconds from milliseconds, in seconds. */
const leastWatchedS = 1.5

/** Whole seconds may be cut off at both ends. */
const roundingS = 1.1

interface Moment {
  readonly text: string
  readonly value: number
  /** Whose it is: caller and probe. */
  readonly of: string
  /** On the client's clock, in seconds since the epoch. */
  readonly seenAt: number
}

const inWords = (aheadS: number): string =>
  aheadS >= 0 ? `${plain(Math.round(aheadS))} s ahead of` : `${plain(Math.round(-aheadS))} s behind`

const sinceEpoch = (moments: readonly Moment[], perSecond: number, unit: ResetUnit, words: string) => {
  const ahead = moments.map(({ value, seenAt }) => value / perSecond - seenAt)
  if (!ahead.every((seconds) => seconds >= -mostBehindS && seconds <= mostAheadS)) return undefined
  const [{ text }] = moments
  return { is: unit, because: `${text} is ${inWords(ahead[0])} your clock: ${words}` }
}

interface Countdown {
  /** How far the values fell, and in how many seconds, where they did not rise. */
  readonly fell: number
  readonly seconds: number
}

const countdownOf = (moments: readonly Moment[]): Countdown => {
  let [fell, seconds] = [0, 0]
  for (const [at, moment] of moments.entries()) {
    const before = moments[at - 1]
    if (!before || moment.value > before.value) continue
    fell += before.value - moment.value
    seconds += moment.seenAt - before.seenAt
  }
  return { fell, seconds }
}

/** The longest that was watched: each caller's windows, and each probe's, may be others. */
const longestCountdown = (moments: readonly Moment[]): Countdown =>
  [...new Set(moments.map(({ of }) => of))]
    .map((of) => countdownOf(moments.filter((moment) => moment.of === of)))
    .reduce((longest, each) => (each.seconds > longest.seconds ? each : longest))

const fromNow = (moments: readonly Moment[]): Concluded<ResetUnit> => {
  const { fell, seconds } = longestCountdown(moments)
  const [{ text }] = moments
  const watched = `it fell by ${plain(fell)} in ${plain(Math.round(seconds * 10) / 10)} s`
  if (seconds >= leastWatchedS && fell > 0) {
    if (Math.abs(fell - seconds) <= roundingS) return { is: 'delta-s', because: `${watched}: seconds from now` }
    if (Math.abs(fell / 1000 - seconds) <= roundingS) {
      return { is: 'delta-ms', because: `${watched}: milliseconds from now` }
    }
  }
  const longest = Math.max(...moments.map(({ value }) => value))
  const isMs =
    longest > mostAheadS || (longest >= 1000 && !niceSpanMs(longest * 1000) && niceSpanMs(longest) !== undefined)
  const unit = isMs ? 'delta-ms' : 'delta-s'
  return {
    is: unit,
    because: `${text} is too small for a moment: ${isMs ? 'milliseconds' : 'seconds'} from now, by its size alone, for it was not seen counting down`,
  }
}

const ofTexts = (values: readonly SeenValue[], wallStartMs: number): Concluded<ResetUnit> | undefined => {
  const [{ text, answer }] = values
  const readers = [
    ['iso-8601', isoMomentIn, 'a moment in ISO 8601'],
    ['http-date', (each: string) => (parseHttpDate(each) ?? Number.NaN) / 1000, 'an HTTP-date'],
  ] as const
  for (const [unit, read, words] of readers) {
    const moments = values.map((each) => read(each.text) ?? Number.NaN)
    if (!moments.every(Number.isFinite)) continue
    const ahead = moments[0] - (wallStartMs + answer.receivedAt) / 1000
    return { is: unit, because: `${text} is ${words}, ${inWords(ahead)} your clock` }
  }
  if (!values.every((each) => durationIn(each.text) !== undefined)) return undefined
  return { is: 'duration', because: `${text} is a duration with its units` }
}

/**
 * The unit that a reset is written in: told by its form, by its distance from the client's clock, and by whether it counts
 * down between answers. Undefined where it is written in none.
 *
 * @param wallStartMs the client's wall clock at the start of the run's clock.
 */
export const resetUnitOf = (values: readonly SeenValue[], wallStartMs: number): Concluded<ResetUnit> | undefined => {
  if (values.length === 0) return undefined
  const moments = values.flatMap(({ text, answer }): Moment[] => {
    const value = decimalIn(text)
    const of = `${answer.credential} ${answer.probe}`
    return value === undefined ? [] : [{ text, value, of, seenAt: (wallStartMs + answer.receivedAt) / 1000 }]
  })
  if (moments.length < values.length) return ofTexts(values, wallStartMs)
  return (
    sinceEpoch(moments, 1, 'epoch-s', 'seconds since the epoch') ??
    sinceEpoch(moments, 1000, 'epoch-ms', 'milliseconds since the epoch') ??
    fromNow(moments)
  )
}
