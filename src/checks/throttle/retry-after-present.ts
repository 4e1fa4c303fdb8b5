import { defineCheck } from '../check.js'
import { breach } from '../finding.js'
import { judgeRefusals } from './refusals.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'no-retry-after': Record<never, never>
  }
}

export const retryAfterPresent = defineCheck({
  id: 'throttle.retry-after-present',
  promise: 'Every 429 carries Retry-After.',
  clauses: ['THROTTLE-2'],
  reads: 'everything',
  judge: (evidence) =>
    judgeRefusals(evidence, ({ retryAfter }) =>
      retryAfter.form === 'absent' ? breach('no-retry-after', {}) : undefined,
    ),
})
