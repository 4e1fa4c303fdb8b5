import { planName } from '../../contract/plans.js'
import { count } from '../../kit/words.js'
import { mayGiveBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { admittedWhileSpent, refusedWhileSpent } from '../../oracle/spent-windows.js'
import { viewOf } from '../../readings/quota-views.js'
import { spellingProbes } from '../../readings/spellings-asked.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'

export const spentForEveryOperation = defineCheck({
  id: 'quota.spent-for-every-operation',
  promise: 'Once a window is spent, no request of any operation is admitted in it.',
  clauses: ['QUOTA-1'],
  advice: 'Check each place that compares with the limit (<= or <): one operation admits a request beyond it.',
  reads: [...spellingProbes],
  needs: { cases: 'other operations in a window that was spent' },
  yields: true,
  judges: (_, quota) => mayGiveBackAtOnce(quota),
  judge(evidence, telling) {
    const { quota } = viewOf(evidence)
    for (const key of judgedKeys(evidence)) {
      const { record, plan, agreed } = key
      const beyond = admittedWhileSpent(key, quota)
      if (beyond) {
        const { before, row, behind } = beyond
        const facts = { plan, operation: record.operation(row), limit: agreed.limit }
        return fail('operation-admitted-while-spent', facts, ...[before, row, behind].map(record.witness))
      }
      for (const row of refusedWhileSpent(key, quota)) telling.add(record.witness(row))
    }
    return telling.conclude()
  },
  sentences: {
    'operation-admitted-while-spent': (f) =>
      `in one window of the ${planName(f.plan)} key ${f.operation} was served between two refusals: one more than its limit of ${count(f.limit)}`,
  },
})
