import { planName } from '../../contract/plans.js'
import { count } from '../../kit/words.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { keepsLimit, spentBehind } from '../../oracle/shown-remaining.js'
import { heldBackKey } from '../../readings/other-users.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, spendingWhole, tellingCases } from '../framework/needs.js'
import { heldByAnotherKey } from '../framework/unplayed.js'
import { allCostOne } from './costs.js'

/** Too little is as wrong as too much: an obedient client waits for a quota that it has. */
export const remainingNotTooLow = defineCheck({
  id: 'rate.remaining-not-too-low',
  promise:
    'Where an admitted request says how much remains, no more is admitted while nothing of the quota comes back.',
  clauses: ['RATE-4'],
  advice:
    'Check what Remaining is computed from: it counts requests that the limiter does not count, or no longer counts.',
  reads: spendingWhole,
  needs: { cases: 'answers after which all that Remaining showed was spent', least: 1 },
  judges: allCostOne,
  yields: true,
  judge(evidence, needs) {
    const shared = heldBackKey(evidence)
    if (shared) return heldByAnotherKey(shared.plan, shared.x)
    const telling = tellingCases()
    for (const key of judgedKeys(evidence).filter(keepsLimit)) {
      const { record, plan, window } = key
      for (const { answer, remaining, admitted } of spentBehind(key)) {
        if (admitted.length > remaining) {
          const facts = { plan, limit: window.limit, remaining, admitted: admitted.length }
          return fail('more-admitted-than-remained', facts, record.witness(answer), record.witness(admitted[remaining]))
        }
        telling.add(record.witness(answer))
      }
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'more-admitted-than-remained': (f) =>
      `on the ${planName(f.plan)} key an admitted request said that ${count(f.remaining)} of ${count(f.limit)} remain, and ${count(f.admitted)} more were admitted before any of the quota came back`,
  },
})
