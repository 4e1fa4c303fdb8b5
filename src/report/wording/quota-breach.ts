import { planName } from '../../contract/plans.js'
import { openedInWords } from '../../contract/request-spellings.js'
import { count } from '../../kit/count.js'
import { formatDuration } from '../../kit/duration.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { Fact } from '../../verdict/verdict.js'
import type { CheckRow, QuotaRow } from '../model.js'
import { windowInWords } from './plan-names.js'

interface BrokenPlan {
  readonly plan: string
  readonly looksLike: string | null
}

const isRecord = (value: Fact | undefined): value is { readonly [name: string]: Fact } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const brokenPlan = (facts: { readonly [name: string]: Fact }): BrokenPlan[] =>
  typeof facts.plan === 'string'
    ? [{ plan: facts.plan, looksLike: typeof facts.looksLike === 'string' ? facts.looksLike : null }]
    : []

/** The plans that a finding on quotas names; a report of an older version names the first one only. */
export const brokenPlansOf = ({ facts }: Pick<CheckRow, 'facts'>): BrokenPlan[] => {
  const { plans } = facts
  return Array.isArray(plans) ? plans.filter(isRecord).flatMap(brokenPlan) : brokenPlan(facts)
}

/** Of one plan, and of several. */
type Phrase = readonly [one: string, several: string]

/** What is plain from the diagnosis alone; any other one stands behind the phrase as what it looks like. */
const plain: Readonly<Record<string, Phrase>> = {
  'limit-higher-by-one': ['admits one request too many', 'admit one request too many'],
  'limit-lower-by-one': ['refuses one request too early', 'refuse one request too early'],
  'no-limit': ['enforces no limit', 'enforce no limit'],
}

const phrases: Readonly<Record<string, Phrase>> = {
  'QUOTA-1': ['admits more than its limit', 'admit more than their limits'],
  'QUOTA-2': ['refuses what its limit still allows', 'refuse what their limits still allow'],
}

const sentenceOf = (plans: readonly string[], [one, several]: Phrase, end: string): string =>
  `${listInWords(plans.map(planName))} ${plans.length === 1 ? one : several}${end}`

const windowOf = (quotas: readonly QuotaRow[], plans: readonly string[]): string => {
  const rows = quotas.filter(({ plan }) => plans.includes(plan))
  const words = [...new Set(rows.map(windowInWords))]
  return words.length === 1 ? ` ${words[0]}` : ''
}

/** A diagnosis as the report has it, with its numbers, where it is the same for all of the plans. */
const looksLike = (quotas: readonly QuotaRow[], plans: readonly string[]): string => {
  const seen = new Set(quotas.flatMap(({ plan, diagnosis }) => (plans.includes(plan) && diagnosis ? [diagnosis] : [])))
  return seen.size === 1 ? `, which looks like ${[...seen][0]}` : ''
}

/** The spellings of the request that a finding on QUOTA-6 says have a quota of their own. */
export const openedSpellings = ({ code, facts: { spellings } }: Pick<CheckRow, 'code' | 'facts'>): string[] =>
  code === 'spelling-opens-quota' && Array.isArray(spellings)
    ? spellings.filter((each): each is string => typeof each === 'string')
    : []

/**
 * What a finding on QUOTA-1, QUOTA-2 or QUOTA-6 comes to, over all of its plans: those that look alike are told together.
 * `undefined` for a finding of another kind.
 */
export const quotaBreachInWords = (check: CheckRow, quotas: readonly QuotaRow[]): string | undefined => {
  const [clause = ''] = check.clauses
  const opened = openedSpellings(check)
  if (opened.length > 0) return openedInWords(opened)
  if (check.code === 'routes-count-alone') return 'each route has a count of its own'
  const phrase = phrases[clause]
  const broken = brokenPlansOf(check)
  if (phrase === undefined || broken.length === 0) return undefined
  const kinds = [...new Set(broken.map((each) => each.looksLike))]
  const told = kinds.map((kind) => {
    const plans = broken.filter((each) => each.looksLike === kind).map(({ plan }) => plan)
    const clear = kind === null ? undefined : plain[kind]
    if (clear) return sentenceOf(plans, clear, kind === 'no-limit' ? '' : windowOf(quotas, plans))
    return sentenceOf(plans, phrase, kind === null ? '' : looksLike(quotas, plans))
  })
  return listInWords(told)
}

/** What the picture of a breach shows: `61 admitted within 0.1 s, limit 60`, or `refused with 41 of 60 admitted`. */
export const breachCount = ({ breach, limit }: QuotaRow): string | undefined => {
  if (!breach) return undefined
  const admitted = count(breach.admitted)
  if (breach.kind === 'early-refusal') return `Refused with at most ${admitted} of ${count(limit)} admitted`
  return `${admitted} admitted within ${formatDuration(breach.toMs - breach.fromMs)}, limit ${count(limit)}`
}
