import { contractOf } from '../../contract/petstore/petstore.js'
import { planName, secondMs } from '../../contract/plans.js'
import { formatDuration, listInWords } from '../../kit/words.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { isBeyondMinute } from '../../readings/key-history.js'
import { defineCheck } from '../framework/check.js'
import { breach, fail, inconclusive } from '../framework/finding.js'
import { judgeRefusals } from '../framework/judge-cases.js'
import { loadProfiles } from '../framework/loads.js'
import { bringing } from '../framework/needs.js'
import { spentAgain } from '../framework/spent-again.js'

export const retryAfterPresent = defineCheck({
  id: 'throttle.retry-after-present',
  promise: 'Every 429 carries Retry-After.',
  clauses: ['THROTTLE-2'],
  advice: 'Check what builds a refusal (perhaps a gateway): every 429 needs Retry-After.',
  alone: bringing(429),
  needs: { cases: '429s' },
  again: spentAgain,
  judge: (evidence, telling) =>
    judgeRefusals(evidence, telling, ({ retryAfter }) =>
      retryAfter.form === 'absent' ? breach('no-retry-after', {}) : undefined,
    ),
  sentences: {
    'no-retry-after': () => 'a 429 came without Retry-After',
  },
})

export const retryAfterForm = defineCheck({
  id: 'throttle.retry-after-form',
  promise: 'Retry-After is a whole number of seconds or an HTTP-date.',
  clauses: ['THROTTLE-3'],
  advice: 'Check how Retry-After is written: whole seconds without a unit, or an HTTP-date.',
  alone: bringing(429),
  needs: { cases: '429s with a Retry-After' },
  judge(evidence, telling) {
    const agreed = contractOf(evidence.run).retryAfter?.as ?? []
    return judgeRefusals(evidence, telling, ({ retryAfter }) => {
      if (retryAfter.form === 'absent') return undefined
      if (retryAfter.form === 'malformed') return breach('retry-after-malformed', { text: retryAfter.text })
      const form = retryAfter.form === 'date' ? 'http-date' : 'seconds'
      return agreed.length === 0 || agreed.includes(form)
        ? undefined
        : breach('retry-after-in-another-form', { form, agreed })
    })
  },
  sentences: {
    'retry-after-in-another-form': (f) =>
      `Retry-After is written as ${f.form}; the contract says ${listInWords(f.agreed)}`,
    'retry-after-malformed': ({ text }) => `Retry-After is "${text}", neither whole seconds nor an HTTP-date`,
  },
})

/**
 * The single request that ends a silence, where it was admitted, with the refusal before it. What another address admits,
 * where an agent sent one of the two, says nothing of the wait; nor does an admission of a wait that another quota may have named.
 */
function* admissionsAfterRefusal(
  { record, window }: JudgedKey,
  baseUrl: string,
): Generator<{ refusal: number; next: number }> {
  const addressOf = (row: number) => record.origin(row)?.target ?? baseUrl
  for (let i = 0; i + 1 < record.size; i += 1) {
    const next = i + 1
    const isRefusal =
      record.status[i] === 429 && !Number.isNaN(record.waitMs[i]) && record.ordinary[i] === 1 && record.excused[i] === 0
    const isAdmission = record.status[next] === 200 && record.ordinary[next] === 1 && addressOf(next) === addressOf(i)
    if (isRefusal && isAdmission && record.sentMs[next] >= record.receivedMs[i] && window.limit > 0)
      yield { refusal: i, next }
  }
}

/** The finding if a request that was admitted long before its wait was over may have been one too many. */
const admitsTooMany = (plan: string) => inconclusive('admits-too-many', { plan })

export const retryAfterNotLong = defineCheck({
  id: 'throttle.retry-after-not-long',
  promise:
    'Retry-After does not point past the moment when the quota is available again, except for a second of rounding.',
  clauses: ['THROTTLE-5'],
  advice: 'Check how Retry-After is computed: it must end when this quota is back, not a fixed time later.',
  reads: loadProfiles,
  needs: { cases: 'refusals with an admitted request after them' },
  judge(evidence, telling) {
    let doubt: ReturnType<typeof admitsTooMany> | undefined
    for (const key of judgedKeys(evidence)) {
      const { record, plan, window, judgement, clock } = key
      for (const { refusal, next } of admissionsAfterRefusal(key, evidence.run.baseUrl)) {
        // From the earliest possible moment of the refusal to the latest possible one of the admission.
        const admittedAfterMs = record.receivedMs[next] - record.sentMs[refusal]
        // A date is taken at its earliest.
        const dateErrorMs = record.waitIsDate[refusal] === 1 ? clock.to - clock.from : 0
        const promisedMs = record.waitMs[refusal] - dateErrorMs
        if (promisedMs - admittedAfterMs > secondMs) {
          if (judgement?.verdict === 'fail' && judgement.side === 'over-admission') {
            doubt ??= admitsTooMany(plan)
            continue
          }
          const facts = { plan, promisedMs: Math.round(promisedMs), admittedAfterMs: Math.round(admittedAfterMs) }
          return fail('admitted-long-before', facts, record.witness(refusal), record.witness(next))
        }
        if (!isBeyondMinute(record, refusal, window)) telling.add(record.witness(refusal))
      }
    }
    return doubt ?? telling.conclude()
  },
  sentences: {
    'admits-too-many': (f) =>
      `the ${planName(f.plan)} key gets more than its limit (QUOTA-1), so an admission does not show that its quota is back`,
    'admitted-long-before': (f) =>
      `on the ${planName(f.plan)} key a request was admitted ${formatDuration(f.admittedAfterMs)} after a refusal that had named a wait of ${formatDuration(f.promisedMs)}`,
  },
})
