import { defineCheck } from '../../../checks/framework/check.js'
import { expectStatus, failedControl } from '../../../checks/framework/expect-status.js'
import { notTested } from '../../../checks/framework/finding.js'
import { answersOf } from '../../../evidence/evidence.js'

const needs = { cases: 'requests with the key in the other case', least: 1 }

/** Where the key does not mix its letters, the document leaves open whether case tells keys apart: that is reported. */
export const keyCase = defineCheck({
  id: 'auth.key-case',
  promise: 'A key that mixes upper and lower case is not known in the other case: it answers 401.',
  clauses: ['AUTH-2'],
  advice: 'Look at how keys are compared: upper and lower case are different letters (database collation, too).',
  reads: ['key-elsewhere'],
  needs,
  judge(evidence) {
    const asked = answersOf(evidence, 'key-elsewhere', 'other-case')
    if (asked.length === 0) return notTested('key-of-plain-case', {})
    return failedControl(answersOf(evidence, 'key-elsewhere', 'control')) ?? expectStatus(evidence, asked, 401, needs)
  },
  sentences: {
    'key-of-plain-case': () => 'the key has no letters of both cases that are mixed as in no word',
  },
})
