import type { ModelName } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { isBeyondMinute } from '../../readings/key-history.js'
import { heldBackKey } from '../../readings/other-users.js'
import { spendingWhole } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, tellingCases } from '../framework/needs.js'
import { heldByAnotherKey } from '../framework/open-quota.js'
import { allCostOne } from './costs.js'

/** Limiters whose quota is no whole number: what they show of it may be rounded up. */
const fractional: ReadonlySet<ModelName> = new Set(['token-bucket', 'gcra'])

/** The oracle passes no key that others spend, so that what is lacking was nobody else's. */
const countsWhole = ({ judgement, window }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' &&
  !judgement.models.some((model) => fractional.has(model)) &&
  window.quota.limit !== window.quota.longer

/** The first refusal of the minute within a window after an answer, asked for when that answer was there. */
const refusalAfter = ({ record, window }: JudgedKey, first: number): number | undefined => {
  const untilMs = record.sentMs[first] + window.minuteMs
  for (let i = first + 1; i < record.size && record.sentMs[i] < untilMs; i += 1) {
    if (record.status[i] !== 429 || record.sentMs[i] < record.receivedMs[first]) continue
    const isOfMinute = record.limit[i] === window.quota.limit && !isBeyondMinute(record, i, window)
    return isOfMinute && record.receivedMs[i] <= untilMs ? i : undefined
  }
  return undefined
}

/** How many requests can have been counted after the answer was decided, and before the refusal was. */
const spentBetween = ({ record }: JudgedKey, answer: number, refusal: number): number => {
  let spent = 0
  for (let i = 0; i < record.size && record.sentMs[i] <= record.receivedMs[refusal]; i += 1) {
    const wasBefore = record.receivedMs[i] <= record.sentMs[answer]
    if (i !== answer && record.status[i] !== 429 && !wasBefore) spent += 1
  }
  return spent
}

/**
 * The answers that said how much of the minute remains, at the beginning of a quota that was then spent. More than the
 * limit is RATE-3's matter. One answer of each quota will do, unless it says that all of it is left.
 */
function* wholeQuotas(key: JudgedKey): Generator<{ answer: number; refusal: number; spent: number }> {
  const { record, window } = key
  const { limit } = window.quota
  let spentUntil = -1
  for (let answer = 0; answer < record.size; answer += 1) {
    const remaining = record.remaining[answer]
    const isWhole = remaining === limit || (remaining === limit - 1 && answer > spentUntil)
    const isAdmission = record.status[answer] === 200 && record.ordinary[answer] === 1
    if (!isWhole || !isAdmission || record.limit[answer] !== limit) continue
    const refusal = refusalAfter(key, answer)
    if (refusal === undefined) continue
    spentUntil = refusal
    yield { answer, refusal, spent: spentBetween(key, answer, refusal) }
  }
}

const needs = { cases: 'quotas that were spent from their first request on, and counted in whole requests', least: 1 }

export const remainingKept = defineCheck({
  id: 'rate.remaining-kept',
  promise: 'Where an admitted request says that the whole limit remains, so many more are admitted before a refusal.',
  clauses: ['RATE-4'],
  advice: 'Look at whether the headers and the limiter read the same count: Remaining promises more than is admitted.',
  reads: spendingWhole,
  needs,
  judges: allCostOne,
  yields: true,
  judge(evidence) {
    const shared = heldBackKey(evidence)
    if (shared) return heldByAnotherKey(shared.plan, shared.x)
    const telling = tellingCases()
    for (const key of judgedKeys(evidence).filter(countsWhole)) {
      const { record, plan, window } = key
      const limit = window.quota.limit
      for (const { answer, refusal, spent } of wholeQuotas(key)) {
        const shown = [record.witness(answer), record.witness(refusal)]
        const isKept = record.remaining[answer] < limit || spent >= limit
        if (!isKept) return fail('refused-with-some-left', { plan, limit, spent }, ...shown)
        telling.add(record.witness(answer))
      }
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'refused-with-some-left': (f) =>
      `on the ${planName(f.plan)} key an admitted request said that all ${count(f.limit)} remain, and after ${count(f.spent)} more the key was refused`,
  },
})
