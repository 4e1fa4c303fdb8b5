import { planName } from '../../contract/plans.js'
import { secondMs } from '../../contract/whole-seconds.js'
import { formatDuration } from '../../kit/duration.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { isBeyondMinute } from '../../readings/key-history.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, tellingCases } from '../framework/needs.js'
import { loadProfiles } from '../readings/load-profiles.js'

/** The single request that ends a silence, where it was admitted, with the refusal before it. */
function* admissionsAfterRefusal({ record, window }: JudgedKey): Generator<{ refusal: number; next: number }> {
  for (let i = 0; i + 1 < record.size; i += 1) {
    const next = i + 1
    const isRefusal = record.status[i] === 429 && !Number.isNaN(record.waitMs[i]) && record.ordinary[i] === 1
    const isAdmission = record.status[next] === 200 && record.ordinary[next] === 1
    if (isRefusal && isAdmission && record.sentMs[next] >= record.receivedMs[i] && window.quota.limit > 0) {
      yield { refusal: i, next }
    }
  }
}

const needs = { cases: 'refusals with one request after them that was admitted', least: 1 }

export const retryAfterNotLong = defineCheck({
  id: 'throttle.retry-after-not-long',
  promise:
    'Retry-After does not point past the moment at which the quota is there again, but for a second of rounding.',
  clauses: ['THROTTLE-5'],
  advice: 'Look at how Retry-After is computed: until this quota is back, not a fixed or a whole window.',
  reads: loadProfiles,
  needs,
  judge(evidence) {
    const telling = tellingCases()
    for (const key of judgedKeys(evidence)) {
      const { record, plan, window } = key
      for (const { refusal, next } of admissionsAfterRefusal(key)) {
        // From the earliest moment at which the one can have been refused to the latest at which the other was admitted.
        const admittedAfterMs = record.receivedMs[next] - record.sentMs[refusal]
        const promisedMs = record.waitMs[refusal]
        if (promisedMs - admittedAfterMs > secondMs) {
          const facts = { plan, promisedMs: Math.round(promisedMs), admittedAfterMs: Math.round(admittedAfterMs) }
          return fail('admitted-long-before', facts, record.witness(refusal), record.witness(next))
        }
        if (!isBeyondMinute(record, refusal, window)) telling.add(record.witness(refusal))
      }
    }
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'admitted-long-before': (f) =>
      `on the ${planName(f.plan)} key a request was admitted ${formatDuration(f.admittedAfterMs)} after a refusal that had asked for ${formatDuration(f.promisedMs)}`,
  },
})
