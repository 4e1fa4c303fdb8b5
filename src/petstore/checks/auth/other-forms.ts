import { defineCheck } from '../../../checks/framework/check.js'
import { failedControl } from '../../../checks/framework/expect-status.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeAnswers, refusedAgain } from '../../../checks/framework/judge-answers.js'
import { nameOf } from '../../../checks/readings/answers.js'
import { answersOf } from '../../../evidence/evidence.js'
import type { Answered } from '../../../evidence/exchange.js'
import { formsThatAre } from '../../../evidence/redaction/credential-forms.js'

/** Of a key that nobody knows another check speaks. */
const forms: readonly string[] = formsThatAre('refused').filter((form) => form !== 'unknown-key')

const kinds = Object.fromEntries(forms.map((form) => [form.replaceAll('-', ' '), ['bad-keys']]))

const needs = { cases: 'requests with such a credential', least: 1 }

export const otherForms = defineCheck({
  id: 'auth.other-forms',
  promise: 'A credential in another form, or a key cut short or extended, answers 401.',
  clauses: ['AUTH-4'],
  advice: 'Look at how the header is parsed: Bearer, one space, and the whole key, nothing else.',
  reads: ['bad-keys'],
  needs,
  judge(evidence) {
    const control = failedControl(answersOf(evidence, 'bad-keys', 'control'))
    if (control) return control
    const asked = answersOf(evidence, 'bad-keys').filter((x) => forms.includes(x.step))
    const refused = asked.find((x) => x.response?.status === 429)
    if (refused) return refusedAgain(nameOf(refused), refused)
    const look = (x: Answered) =>
      x.response.status === 401
        ? undefined
        : breach('bad-form-not-refused', { form: x.credential, case: nameOf(x), got: x.response.status })
    return judgeAnswers(evidence, asked, needs, look, { kinds, kindOf: ({ step }) => step.replaceAll('-', ' ') })
  },
  sentences: {
    'bad-form-not-refused': (f) =>
      `${f.case} with a credential that is none (${f.form.replaceAll('-', ' ')}) was answered ${f.got}, where 401 is due`,
  },
})
