import { errorBody } from '../../contract/schemas.js'
import { isAnswered } from '../../evidence/exchange.js'
import { objectOf } from '../answers.js'
import { defineCheck } from '../check.js'
import { notTested, observed } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'refusal-body': { form: string; statusAgrees: boolean | null }
    'never-refused': { sent: number }
  }
}

export const refusalBody = defineCheck({
  id: 'errors.refusal-body',
  promise: 'Whether a 429 carries an Error body is reported.',
  clauses: ['ERR-4'],
  reads: 'everything',
  judge({ exchanges }) {
    const refusal = exchanges.find((x) => x.response?.status === 429)
    if (!refusal || !isAnswered(refusal)) return notTested('never-refused', { sent: exchanges.length })
    const parsed = errorBody.safeParse(objectOf(refusal))
    if (parsed.success) {
      return observed('refusal-body', { form: 'an Error body', statusAgrees: parsed.data.status === 429n }, refusal)
    }
    const form =
      refusal.response.body.bytes === 0 ? 'no body' : objectOf(refusal) ? 'another JSON object' : 'another body'
    return observed('refusal-body', { form, statusAgrees: null }, refusal)
  },
})
