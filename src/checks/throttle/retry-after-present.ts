import { bringing } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeRefusals } from '../framework/judge-cases.js'
import { spentAgain } from '../framework/spent-again.js'

const needs = { cases: '429s', least: 1 }

export const retryAfterPresent = defineCheck({
  id: 'throttle.retry-after-present',
  promise: 'Every 429 carries Retry-After.',
  clauses: ['THROTTLE-2'],
  advice: 'Look at what builds a refusal, a gateway perhaps: every 429 needs Retry-After.',
  reads: 'everything',
  alone: bringing(429),
  needs,
  again: spentAgain,
  judge: (evidence) =>
    judgeRefusals(evidence, needs, ({ retryAfter }) =>
      retryAfter.form === 'absent' ? breach('no-retry-after', {}) : undefined,
    ),
  sentences: {
    'no-retry-after': () => 'a 429 came without Retry-After',
  },
})
