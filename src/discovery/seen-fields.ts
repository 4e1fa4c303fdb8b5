import type { HeaderField, ResetUnit } from '../contract/api-contract.js'
import { type HeaderLine, headerValues } from '../evidence/exchange.js'
import { limitReader } from '../readings/answers.js'
import { durationIn, numberIn, numberOf, resetUnitReaders } from '../readings/limit-values.js'
import { limitDictionary, namedPolicies, serviceLimits, unnamedPolicies } from '../readings/policies.js'
import type { Concluded, DiscoveredField } from './discovered.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Common lengths of windows, in milliseconds. */
const niceSpans: readonly number[] = [
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * second),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 7, 30, 31].map((count) => count * day),
]

/** The common window length that equals this one, except for rounding; undefined if none does. */
export const niceSpanMs = (ms: number, marginMs = 1): number | undefined =>
  niceSpans.find((span) => Math.abs(span - ms) <= marginMs)

export const spansFrom = (ms: number): readonly number[] => niceSpans.filter((span) => span >= ms)

/** A reset is at most a month ahead; it may have just passed, and the clocks may differ by up to an hour. */
const mostAheadS = 32 * 86_400
const mostBehindS = 3_600

/** How many seconds a countdown has to be watched to tell seconds from milliseconds. */
const leastWatchedS = 1.5

/** Whole seconds may be truncated at both ends. */
const roundingS = 1.1

const inWords = (aheadS: number): string =>
  aheadS >= 0 ? `${plain(Math.round(aheadS))} s ahead of` : `${plain(Math.round(-aheadS))} s behind`

/** How far the values fell while they did not rise, and in how many seconds. */
const countdownOf = (values: readonly SeenValue[]) => {
  let [fell, seconds] = [0, 0]
  for (const [at, { text, answer }] of values.entries()) {
    const before = values[at - 1]
    const fallen = before ? Number(before.text) - Number(text) : -1
    if (fallen < 0) continue
    fell += fallen
    seconds += (answer.receivedAt - before.answer.receivedAt) / 1000
  }
  return { fell, seconds }
}

/** The longest countdown watched: each caller and probe may have its own windows. */
const longestCountdown = (values: readonly SeenValue[]) => {
  const streamOf = ({ answer: { credential, probe } }: SeenValue) => `${credential} ${probe}`
  return [...new Set(values.map(streamOf))]
    .map((stream) => countdownOf(values.filter((each) => streamOf(each) === stream)))
    .reduce((longest, each) => (each.seconds > longest.seconds ? each : longest))
}

const fromNow = (values: readonly SeenValue[]): Concluded<ResetUnit> => {
  const { fell, seconds } = longestCountdown(values)
  const [{ text }] = values
  const watched = `it fell by ${plain(fell)} in ${plain(Math.round(seconds * 10) / 10)} s`
  if (seconds >= leastWatchedS && fell > 0) {
    if (Math.abs(fell - seconds) <= roundingS) return { is: 'delta-s', because: `${watched}: seconds from now` }
    if (Math.abs(fell / 1000 - seconds) <= roundingS)
      return { is: 'delta-ms', because: `${watched}: milliseconds from now` }
  }
  const longest = Math.max(...values.map((each) => Number(each.text)))
  const isMs =
    longest > mostAheadS || (longest >= 1000 && !niceSpanMs(longest * 1000) && niceSpanMs(longest) !== undefined)
  const unit = isMs ? 'delta-ms' : 'delta-s'
  return {
    is: unit,
    because: `${text} is too small for a moment: ${isMs ? 'milliseconds' : 'seconds'} from now, judged by its size alone, because it was not seen counting down`,
  }
}

/** The forms of a reset, in the order in which they are tried. */
const moments: readonly (readonly [ResetUnit, string])[] = [
  ['epoch-s', 'seconds since the epoch'],
  ['epoch-ms', 'milliseconds since the epoch'],
  ['iso-8601', 'a moment in ISO 8601'],
  ['http-date', 'an HTTP-date'],
]

/** The unit of a reset, by its form, its distance from the client's clock, and whether it counts down. */
const resetUnitOf = (values: readonly SeenValue[], wallStartMs: number): Concluded<ResetUnit> | undefined => {
  const [{ text: first }] = values
  for (const [unit, words] of moments) {
    const { read, perSecond } = resetUnitReaders[unit]
    const ahead = values.map(
      ({ text, answer }) => (read(text) ?? Number.NaN) / perSecond - (wallStartMs + answer.receivedAt) / 1000,
    )
    if (ahead.every((seconds) => seconds >= -mostBehindS && seconds <= mostAheadS))
      return { is: unit, because: `${first} is ${inWords(ahead[0])} your clock: ${words}` }
  }
  if (values.every(({ text }) => numberIn(text) !== undefined)) return fromNow(values)
  if (!values.every(({ text }) => durationIn(text) !== undefined)) return undefined
  return { is: 'duration', because: `${first} is a duration with its units` }
}

/** An answer to a gentle request. Times are milliseconds on the run's clock. */
export interface SeenAnswer {
  readonly probe: string
  /** The name of the credential that was sent; null for none. */
  readonly credential: string | null
  readonly sentAt: number
  readonly receivedAt: number
  readonly status: number
  readonly headers: readonly HeaderLine[]
}

type SeenValue = ReturnType<typeof valuesSeen>[number]

/** A field's value in each response that has it; several lines are joined into one list. */
const valuesSeen = (answers: readonly SeenAnswer[], name: string) =>
  answers.flatMap((answer) => {
    const values = headerValues(answer.headers, name)
    return values.length === 0 ? [] : [{ text: values.map((value) => value.trim()).join(', '), answer }]
  })

/** A number for people: `5000`, `0.5`. */
export const plain = (value: number): string => String(Math.round(value * 1000) / 1000)

const aboutLimits = /rate-?limit|quota|throttl|call-limit/
/** Fields about limits that are no numbers: which bucket, which plan, what it is counted by. */
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

const plainField = (name: string, values: readonly SeenValue[], wallStartMs: number): DiscoveredField | undefined => {
  const rest = name.toLowerCase().replace(/rate-?limit/, '')
  const word = words.find(([pattern]) => pattern.test(rest))?.[1]
  const [{ text }] = values
  const level = /^ratelimit/i.test(name) ? 'should' : 'must'
  if (word === undefined || word === 'policy') return undefined
  if (word === 'reset') {
    const unit = resetUnitOf(values, wallStartMs)
    if (unit && /^(epoch|delta)-/.test(unit.is) && values.some((value) => value.text.includes('.'))) {
      const because = `${unit.because}, with decimals, which this form never has: quotaspec reads the value, and only reports its form`
      return { field: { name, is: 'reset', as: unit.is, level: 'observe' }, because }
    }
    return unit && { field: { name, is: 'reset', as: unit.is, level }, because: unit.because }
  }
  if (values.every((value) => /^\d+\/\d+$/.test(value.text)))
    return { field: { name, is: 'used/limit', level }, because: `${text}: the used part of the limit` }
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

/** Finds the fields about limits in responses, by name and content; `unclear` lists those that only look like it. */
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

/** Fields about one quota, as `x-ratelimit-limit-tokens`. `stem`: their names without the word in which they differ. */
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

/** How much a group of fields says about a quota of requests. */
const worth = ({ stem, fields }: FieldGroup): number => {
  const structured = fields.some(({ field }) => field.is.startsWith('draft')) ? 3 : 0
  const said = fields.filter(({ field }) => parts.has(field.is)).length
  return structured + said - (/token|byte/.test(stem) ? 10 : 0)
}

/** The fields of one quota: the group that says most, and others that say the same in every response. */
export const chosenFields = (groups: readonly FieldGroup[], answers: readonly SeenAnswer[], unknown: string[]) => {
  const [best, ...others] = groups.toSorted((a, b) => worth(b) - worth(a))
  if (!best) return { stem: '', fields: [] }
  const shown = shownBy(best, answers)
  const fields: DiscoveredField[] = [...best.fields]
  for (const group of others) {
    if (shownBy(group, answers) === shown) fields.push(...group.fields)
    else {
      const listed = group.fields.map(({ field }) => field.name).join(', ')
      unknown.push(`what ${listed} show: their numbers belong to another quota, which is not in this file`)
    }
  }
  return { stem: best.stem, fields }
}
