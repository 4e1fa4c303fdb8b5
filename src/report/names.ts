import { planName } from '../contract/plans.js'
import { probeCatalogue } from '../contract/probe-catalogue.js'
import { formatDuration } from '../kit/duration.js'
import type { Fact } from '../verdict/verdict.js'

/** What a finding's facts are called where the plain reading of their names would say little. */
const labels: Readonly<Record<string, string>> = {
  case: 'Request',
  got: 'Answered',
  http: 'Status of the answer',
  body: 'Status in its body',
  others: 'More of the same',
  told: 'Cases that would have shown a breach',
  cases: 'What was looked for',
  needed: 'Cases still needed',
  missing: 'Missing',
  leftOut: 'Left out, as they could not be read',
  kinds: 'Kinds of cases',
  asked: 'Asked for',
  plays: 'Rounds of clients',
  untested: 'Not tested',
  walk: 'Requests that show it',
  withinMs: 'Within',
  shortMs: 'A wait too short by at least',
  longMs: 'A wait too long by at least',
  closest: 'Closest permitted limiter',
  spellings: 'Admitted on a spent key',
  refused: 'Refused as they should be',
  otherFalls: 'Other falls of Remaining',
  behind: 'Right behind',
  exchanges: 'Requests that it would have decided otherwise',
}

/** Facts that the sentence of the finding, its picture or its plans say already, in better words. */
const saidElsewhere = new Set(['looksLike', 'looksLikeFacts', 'reason', 'clause', 'plans'])

const spelledOut = (name: string): string => {
  const words = name.replace(/Ms$/, '').replace(/(?<=[a-z0-9])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The label of a fact. */
const factLabel = (name: string): string => (Object.hasOwn(labels, name) ? (labels[name] ?? name) : spelledOut(name))

const isRecord = (value: Fact): value is { readonly [name: string]: Fact } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A fact for people: a time with its unit, a list with commas, what has parts with the label of each. */
const factText = (name: string, value: Fact): string => {
  if (typeof value === 'number' && name.endsWith('Ms')) return formatDuration(value)
  if (typeof value === 'string' && name === 'plan') return planName(value)
  if (Array.isArray(value)) return value.map((each) => factText(name, each)).join(value.some(isRecord) ? '; ' : ', ')
  if (value === null) return ''
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .filter(([part]) => !saidElsewhere.has(part))
    .map(([part, each]) => `${factLabel(part).toLowerCase()} ${factText(part, each)}`)
    .join(', ')
}

/** The facts of a finding that a reader may want beside its sentence, as labels and texts. */
export const factsInWords = (facts: { readonly [name: string]: Fact }): (readonly [string, string])[] =>
  Object.entries(facts)
    .filter(([name, value]) => !saidElsewhere.has(name) && factText(name, value) !== '' && value !== 0)
    .map(([name, value]) => [factLabel(name), factText(name, value)])

/** What every run does beside its probes. */
const beside: Readonly<Record<string, string>> = {
  restore: 'Puts the inventory back as it was',
  'asked-again': 'Asked again after a 429 that nobody had provoked',
}

/** What a probe does, for people; an id that is not known stays as it is. */
export const probeName = (id: string): string =>
  Object.hasOwn(probeCatalogue, id) ? probeCatalogue[id as keyof typeof probeCatalogue].title : (beside[id] ?? id)

/** On whose account a request went: a plan's key, a request without a valid key, or whichever key needs it. */
export const keyName = (key: string): string =>
  key === 'strangers' ? 'No valid key' : key === 'any' ? 'Any key' : planName(key)
