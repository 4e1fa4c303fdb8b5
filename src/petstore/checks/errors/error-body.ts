import { bringing, statusKinds } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeBodies } from '../../../checks/framework/judge-bodies.js'
import { nameOf, objectOf } from '../../../checks/readings/answers.js'
import { integer } from '../../../contract/petstore/schemas.js'
import type { Answered } from '../../../evidence/exchange.js'
import { errorAnswers } from '../../readings/error-answers.js'

const needs = { cases: '400s, 401s and 404s', least: 1 }

export const errorBodyCheck = defineCheck({
  id: 'errors.error-body',
  promise: 'Every 400, 401 and 404 of an operation carries code and message as strings and status as an integer.',
  clauses: ['ERR-1'],
  advice: 'Look at the error handler: every error needs code, message and status, of the right types.',
  reads: 'everything',
  alone: bringing(400, 401, 404),
  needs,
  judge(evidence) {
    const look = (x: Answered) => {
      const facts = { case: nameOf(x), status: x.response.status }
      const body = objectOf(x)
      if (!body) return breach('no-error-body', facts)
      for (const field of ['code', 'message', 'status'] as const) {
        if (!Object.hasOwn(body, field)) return breach('error-field-wrong', { ...facts, field, problem: 'is missing' })
        const fits = field === 'status' ? integer.safeParse(body[field]).success : typeof body[field] === 'string'
        const problem = field === 'status' ? 'is not an integer' : 'is not a string'
        if (!fits) return breach('error-field-wrong', { ...facts, field, problem })
      }
      return undefined
    }
    const kindOf = ({ response }: Answered) => String(response.status)
    return judgeBodies(evidence, errorAnswers(evidence), needs, look, { kinds: statusKinds(400, 401, 404), kindOf })
  },
  sentences: {
    'no-error-body': (f) => `${f.case} was answered ${f.status} without an Error body`,
    'error-field-wrong': (f) => `${f.case} was answered ${f.status} with an Error body whose ${f.field} ${f.problem}`,
  },
})
