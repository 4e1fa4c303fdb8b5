import { limiterName } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import type { Exchange } from '../../evidence/exchange.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { DoubtReason } from '../../oracle/judge-quota.js'
import { inconclusive, notTested, pass } from './finding.js'
import { doubtInWords } from './reasons-in-words.js'
import type { SentencesOf } from './sentences.js'

/** The finding where the oracle says nothing about a plan; `plans` are all that are left open for the same reason. */
export const quotaNotJudged = (plan: string, reason: DoubtReason, plans: readonly string[] = [plan]) =>
  inconclusive('quota-not-judged', { plan, reason, plans })

/** The finding where a key had been spent by another plan's: windows that nobody here opened excuse whatever was seen. */
export const heldByAnotherKey = (plan: string, ...refused: readonly Exchange[]) =>
  inconclusive('held-by-another-key', { plan }, ...refused)

/** The finding where no key was loaded whose plan the clause is about. */
export const noLoadOnAnyKey = () => notTested('no-load-on-any-key', {})

/** The finding where these models explain what was seen on each of these plans. */
export const explainedOnEvery = (plans: readonly string[], models: readonly string[]) =>
  pass('explained-on-every-plan', { plans, models })

type OpenQuota = ReturnType<
  typeof quotaNotJudged | typeof heldByAnotherKey | typeof noLoadOnAnyKey | typeof explainedOnEvery
>

export const quotaSentences = {
  'quota-not-judged': (f) => `${listInWords(f.plans.map(planName))}: ${doubtInWords[f.reason]}`,
  'held-by-another-key': (f) =>
    `${planName(f.plan)}: requests were refused because another plan's key had spent the quota (QUOTA-4)`,
  'no-load-on-any-key': () => 'this run put no load on any key',
  'explained-on-every-plan': (f) =>
    `a permitted limiter accounts for every answer on ${listInWords(f.plans.map(planName))}${f.models.length > 0 ? `: ${listInWords(f.models.map(limiterName), 'or')}` : ''}`,
} satisfies SentencesOf<OpenQuota>
