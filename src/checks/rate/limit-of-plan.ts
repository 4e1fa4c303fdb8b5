import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import type { RateReading } from '../../readings/readings.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeReadings } from '../framework/judge-cases.js'
import { fieldNames } from '../readings/field-names.js'

const needs = { cases: 'answers to a key whose plan is known', least: 1 }

export const limitOfPlan = defineCheck({
  id: 'rate.limit-of-plan',
  promise: "X-RateLimit-Limit is an integer, and one of the plan's two limits.",
  clauses: ['RATE-2'],
  advice: "Look at how a key is turned into its plan, and which of the plan's limits the header shows.",
  reads: 'everything',
  alone: [],
  needs,
  judge(evidence) {
    const keys = new Map(evidence.run.keys.map((key) => [key.name, key]))
    const kinds = Object.fromEntries(evidence.run.keys.map(({ plan }) => [plan, []]))
    const kindOf = ({ key }: RateReading) => (key === null ? undefined : keys.get(key)?.plan)
    const look = ({ key, status, headers: { limit } }: RateReading) => {
      if (limit.state === 'absent') return 'skip'
      if (limit.state === 'malformed' || !Number.isInteger(limit.value)) {
        return breach('header-is-no-integer', {
          header: fieldNames(evidence).limit ?? 'Limit',
          text: limit.text,
          status,
        })
      }
      const known = key === null ? undefined : keys.get(key)
      if (!known) return undefined
      const { plan, quota } = known
      if (limit.value === quota.limit || limit.value === quota.longer) return undefined
      // Of a bucket either may be shown: what it holds, or what flows in.
      if (evidence.view?.quota.burst !== undefined && Object.values(evidence.view.quota.limit).includes(limit.value))
        return undefined
      if (evidence.view) return breach('limit-not-as-agreed', { shown: limit.value, plan, agreed: quota.limit })
      return breach('limit-of-no-window', { shown: limit.value, plan, minute: quota.limit, day: quota.longer })
    }
    return judgeReadings(evidence, needs, look, { kinds, kindOf })
  },
  sentences: {
    'limit-not-as-agreed': (f) => `to ${f.plan} the limit is shown as ${f.shown}, where ${f.agreed} is agreed`,
    'limit-of-no-window': (f) =>
      `X-RateLimit-Limit on the ${planName(f.plan)} key is ${f.shown}, neither ${count(f.minute)} a minute nor ${count(f.day)} a day`,
  },
})
