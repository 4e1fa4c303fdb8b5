import { integer } from '../../contract/schemas.js'
import { judgeEach, nameOf, objectOf } from '../answers.js'
import { defineCheck } from '../check.js'
import { breach } from '../finding.js'
import { errorAnswers } from './error-answers.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'status-disagrees': { case: string; http: number; body: string }
  }
}

const needs = { cases: 'Error bodies with a status', least: 1 }

export const statusAgrees = defineCheck({
  id: 'errors.status-agrees',
  promise: 'status in an Error body equals the HTTP status.',
  clauses: ['ERR-2'],
  reads: 'everything',
  needs,
  judge(evidence) {
    const readable = errorAnswers(evidence).filter((x) => integer.safeParse(objectOf(x)?.status).success)
    return judgeEach(evidence, readable, needs, (x) => {
      const told = String(integer.parse(objectOf(x)?.status))
      const { status: http } = x.response
      return told === String(http) ? undefined : breach('status-disagrees', { case: nameOf(x), http, body: told })
    })
  },
})
