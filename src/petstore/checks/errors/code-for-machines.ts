import { bringing, eachOf } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { fail } from '../../../checks/framework/finding.js'
import { concluded, type Kinds, tellingCases } from '../../../checks/framework/needs.js'
import { isWhole, objectOf } from '../../../checks/readings/answers.js'
import { listInWords } from '../../../kit/list-in-words.js'
import { errorAnswers } from '../../readings/error-answers.js'

const needs = { cases: 'Error bodies', least: 1 }

/** One of a kind tells nothing of what comes the next time. */
const kinds: Kinds = { 'one condition met again': ['unknown-pet', 'key-before-body', 'model-walk'] }

export const codeForMachines = defineCheck({
  id: 'errors.code-for-machines',
  promise: 'code is not empty, and the same whenever the same request meets the same condition.',
  clauses: ['ERR-3'],
  advice: 'Look at where error codes come from: one fixed code for each condition, never empty or made anew.',
  reads: 'everything',
  alone: [...bringing(400, 401, 404), ...eachOf('key-before-body', 'model-walk')],
  needs,
  judge(evidence) {
    const answers = errorAnswers(evidence)
    const coded = answers.flatMap((x) => {
      const code = isWhole(x) ? objectOf(x)?.code : undefined
      return typeof code === 'string' ? [{ x, code }] : []
    })
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
    const telling = tellingCases()
    for (const group of byCondition.values()) {
      // Bodies that are wrong in different ways may have different codes; an unknown pet is an unknown pet.
      const isOfOne = !['invalid', 'lacking', 'loose'].includes(group[0].x.step)
      for (const [i, { x }] of group.entries()) telling.add(x, isOfOne && i > 0 ? 'one condition met again' : undefined)
      if (!isOfOne) continue
      const codes = [...new Set(group.map(({ code }) => code))]
      if (codes.length > 1) {
        const condition = `${group[0].x.operation} answered ${group[0].x.response.status}`
        const shown = codes.slice(0, 3).flatMap((each) => group.find(({ code }) => code === each)?.x ?? [])
        return fail('code-differs', { condition, codes: codes.slice(0, 5) }, ...shown)
      }
    }
    return concluded(evidence, needs, telling, { kinds, leftOut: answers.length - coded.length })
  },
  sentences: {
    'code-empty': ({ status }) => `the code in the Error body of a ${status} is empty`,
    'code-differs': (f) => `${f.condition} with different codes for one condition: ${listInWords(f.codes)}`,
  },
})
