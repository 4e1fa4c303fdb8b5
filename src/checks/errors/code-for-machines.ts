import { objectOf } from '../answers.js'
import { defineCheck } from '../check.js'
import { fail, inconclusive, pass } from '../finding.js'
import { errorAnswers } from './error-answers.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'code-empty': { status: number }
    'code-differs': { condition: string; codes: readonly string[] }
  }
}

export const codeForMachines = defineCheck({
  id: 'errors.code-for-machines',
  promise: 'code is not empty, and the same whenever the same request meets the same condition.',
  clauses: ['ERR-3'],
  reads: 'everything',
  judge(evidence) {
    const coded = errorAnswers(evidence).flatMap((x) => {
      const code = objectOf(x)?.code
      return typeof code === 'string' ? [{ x, code }] : []
    })
    if (coded.length === 0) return inconclusive('nothing-to-judge', { wanted: 'an Error body with a code' })
    const empty = coded.find(({ code }) => code.trim() === '')
    if (empty) return fail('code-empty', { status: empty.x.response.status }, empty.x)
    const byCondition = new Map<string, typeof coded>()
    for (const each of coded) {
      const { probe, step, credential, operation, request, response } = each.x
      // A 400 is about the body: a key that should have been turned away brings several to be judged in one step.
      const body = response.status === 400 ? request.body?.content : ''
      const condition = `${probe} ${step} ${credential} ${operation} ${response.status} ${body}`
      byCondition.set(condition, [...(byCondition.get(condition) ?? []), each])
    }
    for (const group of byCondition.values()) {
      // Bodies that are wrong in different ways may have different codes; an unknown pet is an unknown pet.
      if (group[0].x.step === 'invalid' || group[0].x.step === 'lacking' || group[0].x.step === 'loose') continue
      const codes = [...new Set(group.map(({ code }) => code))]
      if (codes.length > 1) {
        const condition = `${group[0].x.operation} answered ${group[0].x.response.status}`
        return fail('code-differs', { condition, codes: codes.slice(0, 5) }, ...group.slice(0, 3).map(({ x }) => x))
      }
    }
    return pass('held', { examined: coded.length }, coded[0].x)
  },
})
