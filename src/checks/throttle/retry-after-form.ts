import { defineCheck } from '../law/check.js'
import { breach } from '../law/finding.js'
import { judgeRefusals } from '../law/judging/judge-readings.js'

const needs = { cases: '429s with a Retry-After', least: 1 }

export const retryAfterForm = defineCheck({
  id: 'throttle.retry-after-form',
  promise: 'Retry-After is a whole number of seconds or an HTTP-date.',
  clauses: ['THROTTLE-3'],
  reads: 'everything',
  needs,
  judge: (evidence) =>
    judgeRefusals(evidence, needs, ({ retryAfter }) =>
      retryAfter.form === 'malformed' ? breach('retry-after-malformed', { text: retryAfter.text }) : undefined,
    ),
  sentences: {
    'retry-after-malformed': ({ text }) => `Retry-After is "${text}", neither whole seconds nor an HTTP-date`,
  },
})
