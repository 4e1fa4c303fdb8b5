import { byDiagnosis } from '../../../checks/framework/advice.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { diagnosisFacts, looksLikeInWords } from '../../../checks/framework/diagnosis-in-words.js'
import { fail, inconclusive, notTested, pass } from '../../../checks/framework/finding.js'
import { doubtInWords, refutationInWords } from '../../../checks/framework/reasons-in-words.js'
import { limiterNames } from '../../../contract/limiter-models.js'
import { planName } from '../../../contract/plans.js'
import type { Evidence } from '../../../evidence/evidence.js'
import { count } from '../../../kit/count.js'
import { listInWords } from '../../../kit/list-in-words.js'
import { type JudgedDay, judgedDays } from '../../../oracle/days/judged-days.js'
import { explainingModels } from '../../../oracle/models/explain.js'

/** What a day's quota would take that was not spent. */
type UntestedDay = { readonly plan: string; readonly requests: number; readonly hours: number }

/** The plans whose day was not spent, with the requests and the hours that it would take. */
const untestedDays = ({ run }: Evidence, tested: readonly string[]): UntestedDay[] =>
  run.keys
    .filter(({ name, plan }) => name === plan && !tested.includes(plan))
    .map(({ plan, quota }) => ({
      plan,
      requests: quota.longer,
      hours: Number((quota.longer / quota.limit / 60 / run.timeScale).toPrecision(2)),
    }))

const failureOf = ({ plan, key, judgement, history, diagnosis }: JudgedDay) => {
  if (judgement.verdict !== 'fail') throw new Error(`the day of the ${plan} plan has not failed`)
  const { reason, witnesses } = judgement.refutation
  const admitted = history.outcome.reduce((sum, each) => sum + (each === 0 ? 1 : 0), 0)
  const facts = { plan, limit: key.window.quota.longer, admitted, reason, ...diagnosisFacts(diagnosis) }
  return fail('day-not-explained', facts, ...witnesses.map((i) => key.record.witness(i)))
}

const hoursInWords = (hours: number) => (hours < 1 ? `${Math.ceil(hours * 60)} minutes` : `${hours} hours`)

const daysInWords = (days: readonly UntestedDay[]) =>
  listInWords(
    days.map(
      ({ plan, requests, hours }) =>
        `${planName(plan)}, which takes ${count(requests)} requests and ${hoursInWords(hours)}`,
    ),
  )

export const dayLimit = defineCheck({
  id: 'quota.day-limit',
  promise: 'On every plan a permitted way of counting a day accounts for all that was admitted and refused.',
  clauses: ['QUOTA-3'],
  advice: byDiagnosis('Look at how the day is counted: beside the minute, for each key, and until the day ends.'),
  reads: ['daily'],
  judge(evidence) {
    const days = judgedDays(evidence)
    const tested: readonly string[] = days.map(({ plan }) => plan)
    const untested = untestedDays(evidence, tested)
    const broken = days.find(({ judgement }) => judgement.verdict === 'fail')
    if (broken) return failureOf(broken)
    for (const { plan, judgement } of days) {
      if (judgement.verdict === 'inconclusive')
        return inconclusive('day-not-judged', { plan, reason: judgement.reason })
    }
    if (days.length === 0) return notTested('days-too-long', { untested })
    const plans = days.map(({ plan, judgement }) => ({ plan, models: explainingModels(judgement.explanations) }))
    return pass('days-explained', { plans, untested })
  },
  sentences: {
    'day-not-explained': (f) =>
      `on ${planName(f.plan)} (${count(f.limit)} a day) ${count(f.admitted)} were admitted, and no permitted way of counting a day fits: ${refutationInWords[f.reason]}.${looksLikeInWords(f)}`,
    'day-not-judged': (f) => `the day of the ${planName(f.plan)} plan: ${doubtInWords[f.reason]}`,
    'days-explained': (f) =>
      `the day is kept on ${listInWords(f.plans.map(({ plan, models }) => `${planName(plan)} (like ${listInWords(models.map((id) => limiterNames[id]))})`))}${f.untested.length > 0 ? `; not tested: ${daysInWords(f.untested)}` : ''}`,
    'days-too-long': (f) => `no day fits what the scenario allows: ${daysInWords(f.untested)}`,
  },
})
