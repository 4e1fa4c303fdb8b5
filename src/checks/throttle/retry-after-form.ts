import { listInWords } from '../../kit/list-in-words.js'
import { bringing } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeRefusals } from '../framework/judge-cases.js'

const needs = { cases: '429s with a Retry-After', least: 1 }

export const retryAfterForm = defineCheck({
  id: 'throttle.retry-after-form',
  promise: 'Retry-After is a whole number of seconds or an HTTP-date.',
  clauses: ['THROTTLE-3'],
  advice: 'Look at how Retry-After is written: whole seconds without a unit, or an HTTP-date.',
  reads: 'everything',
  alone: bringing(429),
  needs,
  judge(evidence) {
    const agreed = evidence.run.contract?.retryAfter?.as ?? ['seconds', 'http-date']
    return judgeRefusals(evidence, needs, ({ retryAfter }) => {
      if (retryAfter.form === 'absent') return undefined
      if (retryAfter.form === 'malformed') return breach('retry-after-malformed', { text: retryAfter.text })
      const form = retryAfter.form === 'date' ? 'http-date' : 'seconds'
      return agreed.includes(form) ? undefined : breach('retry-after-in-another-form', { form, agreed })
    })
  },
  sentences: {
    'retry-after-in-another-form': (f) =>
      `Retry-After is written as ${f.form}, where ${listInWords(f.agreed)} is agreed`,
    'retry-after-malformed': ({ text }) => `Retry-After is "${text}", neither whole seconds nor an HTTP-date`,
  },
})
