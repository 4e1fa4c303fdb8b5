import { defineCheck } from '../../../checks/framework/check.js'
import { inconclusive, notTested, observed } from '../../../checks/framework/finding.js'
import { planName } from '../../../contract/plans.js'
import { exchangesOf } from '../../../evidence/evidence.js'

export const keysOfAPlan = defineCheck({
  id: 'quota.keys-of-a-plan',
  promise: 'Whether two keys of one plan share a quota is reported.',
  clauses: ['QUOTA-9'],
  reads: ['same-plan'],
  judge(evidence) {
    const before = exchangesOf(evidence, 'same-plan', 'before').findLast((x) => x.response?.status === 200)
    const [beside] = exchangesOf(evidence, 'same-plan', 'beside')
    if (!beside) return notTested('never-refused', { sent: 0 })
    const plan = evidence.run.keys.find(({ name }) => name === beside.key)?.plan ?? 'none'
    const status = beside.response?.status
    if (!before || (status !== 200 && status !== 429)) return inconclusive('second-key-not-answered', { plan }, beside)
    return observed('keys-of-a-plan', { plan, shared: status === 429 }, before, beside)
  },
  sentences: {
    'never-refused': () => 'nothing was refused in this run',
    'keys-of-a-plan': (f) =>
      f.shared
        ? `two keys of the ${planName(f.plan)} plan share one quota: the second was refused once the first was spent`
        : `two keys of the ${planName(f.plan)} plan have a quota each: the second was served once the first was spent`,
    'second-key-not-answered': (f) =>
      `the second key of the ${planName(f.plan)} plan was not answered as it has to be before it can be compared`,
  },
})
