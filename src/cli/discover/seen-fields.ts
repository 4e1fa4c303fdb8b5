import type { HeaderField, ResetUnit } from '../../contract/api-contract.js'
import { type HeaderLine, headerValues } from '../../evidence/exchange.js'
import { parseHttpDate } from '../../kit/http-date.js'
import { limitReader } from '../../readings/answers.js'
import { durationIn, isoMomentIn, numberIn, numberOf } from '../../readings/limit-values.js'
import { limitDictionary, namedPolicies, serviceLimits, unnamedPolicies } from '../../readings/policies.js'
import type { Concluded, DiscoveredField } from './discovered.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Windows that people choose, in milliseconds. */
const niceSpans: readonly number[] = [
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * second),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 7, 30, 31].map((count) => count * day),
]

/** The window that people choose which is this one, but for rounding; undefined where none is. */
export const niceSpanMs = (ms: number, marginMs = 1): number | undefined =>
  niceSpans.find((span) => Math.abs(span - ms) <= marginMs)

/** The windows that people choose, the shortest first. */
export const spansFrom = (ms: number): readonly number[] => niceSpans.filter((span) => span >= ms)

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

/** How far the values fell, and in how many seconds, where they did not rise. */
const countdownOf = (moments: readonly Moment[]) => {
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
const longestCountdown = (moments: readonly Moment[]) =>
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
const resetUnitOf = (values: readonly SeenValue[], wallStartMs: number): Concluded<ResetUnit> | undefined => {
  if (values.length === 0) return undefined
  const moments = values.flatMap(({ text, answer }): Moment[] => {
    const value = numberIn(text)
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

/** An answer to a gentle request. Times are milliseconds on the run's clock. */
export interface SeenAnswer {
  readonly probe: string
  /** The name of the credential that it showed; null for none. */
  readonly credential: string | null
  readonly sentAt: number
  readonly receivedAt: number
  readonly status: number
  readonly headers: readonly HeaderLine[]
}

type SeenValue = ReturnType<typeof valuesSeen>[number]

/** What a field held in each answer that has it; of several lines all, as one list. */
const valuesSeen = (answers: readonly SeenAnswer[], name: string) =>
  answers.flatMap((answer) => {
    const values = headerValues(answer.headers, name)
    return values.length === 0 ? [] : [{ text: values.map((value) => value.trim()).join(', '), answer }]
  })

/** A number for people: `5000`, `0.5`. */
export const plain = (value: number): string => String(Math.round(value * 1000) / 1000)

const aboutLimits = /rate-?limit|quota|throttl|call-limit/
/** Said of limits, and no numbers: which bucket, which plan, by what it is counted. */
const labels = /bucket|resource|scope|global|plan|tier|name|id$|reason/

const words: readonly (readonly [RegExp, 'reset' | 'remaining' | 'used' | 'policy' | 'limit'])[] = [
  [/reset(-after)?/, 'reset'],
  [/remaining|left|available/, 'remaining'],
  [/used|consumed|usage/, 'used'],
  [/policy/, 'policy'],
  [/limit/, 'limit'],
]

const structuredField = (name: string, values: readonly SeenValue[]): DiscoveredField | undefined => {
  const forms: readonly (readonly [HeaderField['is'], (texts: readonly string[]) => unknown, string])[] =
    name.toLowerCase() === 'ratelimit'
      ? [
          ['draft-07', limitDictionary, 'limit, remaining and reset in one field, as draft 07 of the IETF has them'],
          ['draft-11', serviceLimits, 'policies with r and t, as drafts 08 to 11 of the IETF have them'],
        ]
      : [
          ['draft-07-policy', unnamedPolicies, 'limits with their window, as drafts up to 07 of the IETF have them'],
          ['draft-11-policy', namedPolicies, 'named policies with q and w, as drafts 08 to 11 of the IETF have them'],
        ]
  const form = forms.find(([, read]) => values.every(({ text }) => read([text]) !== undefined))
  if (!form) return undefined
  return { field: { name, is: form[0], level: 'should' }, because: `${values[0].text}: ${form[2]}` }
}

const levelOf = (name: string): HeaderField['level'] => (/^ratelimit/i.test(name) ? 'should' : 'must')

/** Whether a number that should be whole is none. */
const isDecimal = (unit: ResetUnit, values: readonly SeenValue[]): boolean =>
  /^(epoch|delta)-/.test(unit) && values.some(({ text }) => text.includes('.'))

const plainField = (name: string, values: readonly SeenValue[], wallStartMs: number): DiscoveredField | undefined => {
  const rest = name.toLowerCase().replace(/rate-?limit/, '')
  const word = words.find(([pattern]) => pattern.test(rest))?.[1]
  const [{ text }] = values
  const level = levelOf(name)
  if (word === undefined || word === 'policy') return undefined
  if (word === 'reset') {
    const unit = resetUnitOf(values, wallStartMs)
    if (unit && isDecimal(unit.is, values)) {
      const because = `${unit.because}, with decimals, which these never have: what it is worth is read, and how it is written only reported`
      return { field: { name, is: 'reset', as: unit.is, level: 'observe' }, because }
    }
    return unit && { field: { name, is: 'reset', as: unit.is, level }, because: unit.because }
  }
  if (values.every((value) => /^\d+\/\d+$/.test(value.text))) {
    return { field: { name, is: 'used/limit', level }, because: `${text}: what is used, of what is allowed` }
  }
  const isNumber = values.every((value) => numberIn(value.text) !== undefined)
  return isNumber ? { field: { name, is: word, level }, because: `${text}, by its name` } : undefined
}

const stemOf = (name: string): string => {
  const lower = name.toLowerCase()
  if (lower === 'ratelimit' || lower === 'ratelimit-policy') return 'ratelimit'
  const [prefix, rest] = /^(.*?rate-?limit)(.*)$/.exec(lower)?.slice(1) ?? ['', lower]
  return (
    prefix +
    words
      .reduce((left, [word]) => left.replace(word, ''), rest)
      .replace(/-+/g, '-')
      .replace(/-$/, '')
  )
}

/** Finds the fields of answers that tell of limits, by their names and by what they hold; and those that look so, and are `unclear`. */
export const seenFields = (answers: readonly SeenAnswer[], wallStartMs: number) => {
  const names = new Map<string, string>()
  for (const { headers } of answers) {
    for (const [name] of headers) if (aboutLimits.test(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  const groups = new Map<string, DiscoveredField[]>()
  const unclear: string[] = []
  for (const [lower, name] of names) {
    const values = valuesSeen(answers, lower)
    const isStructured = lower === 'ratelimit' || lower === 'ratelimit-policy'
    const field = isStructured ? structuredField(name, values) : plainField(name, values, wallStartMs)
    if (field) groups.set(stemOf(name), [...(groups.get(stemOf(name)) ?? []), field])
    else if (!labels.test(lower)) unclear.push(`${name}: ${values[0].text.slice(0, 80)}`)
  }
  return { groups: [...groups].map(([stem, fields]) => ({ stem, fields })), unclear }
}

/**
 * Fields that tell of one thing: `x-ratelimit-limit-tokens` and `x-ratelimit-remaining-tokens`. `stem`: their names without the
 * word that tells them apart.
 */
type FieldGroup = ReturnType<typeof seenFields>['groups'][number]

const shownBy = ({ fields }: FieldGroup, answers: readonly SeenAnswer[]): string => {
  const read = limitReader({ headers: fields.map(({ field }) => field) }, { windowMs: Number.NaN, limit: {} })
  return JSON.stringify(
    answers.map(({ headers }) => {
      const { limit, remaining } = read(headers)
      return [numberOf(limit), numberOf(remaining)]
    }),
  )
}

const parts: ReadonlySet<HeaderField['is']> = new Set(['limit', 'remaining', 'used/limit', 'reset'])

/** How much a group of fields says of a quota of requests. */
const worth = ({ stem, fields }: FieldGroup): number => {
  const structured = fields.some(({ field }) => field.is.startsWith('draft')) ? 3 : 0
  const said = fields.filter(({ field }) => parts.has(field.is)).length
  return structured + said - (/token|byte/.test(stem) ? 10 : 0)
}

/** The fields of one quota: the group that says most, and others that say the same of it in every answer. */
export const chosenFields = (groups: readonly FieldGroup[], answers: readonly SeenAnswer[], unknown: string[]) => {
  const [best, ...others] = groups.toSorted((a, b) => worth(b) - worth(a))
  if (!best) return { stem: '', fields: [] }
  const shown = shownBy(best, answers)
  const fields: DiscoveredField[] = [...best.fields]
  for (const group of others) {
    if (shownBy(group, answers) === shown) fields.push(...group.fields)
    else {
      const listed = group.fields.map(({ field }) => field.name).join(', ')
      unknown.push(`what ${listed} tell of: their numbers are of another quota, which is not in this file`)
    }
  }
  return { stem: best.stem, fields }
}
