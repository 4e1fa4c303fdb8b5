import { bringing, statusKinds } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { observed } from '../../../checks/framework/finding.js'
import { concluded, tellingCases } from '../../../checks/framework/needs.js'
import { objectIn } from '../../../checks/readings/answers.js'
import { readBody } from '../../../checks/readings/body-readings.js'
import { keptRefusals } from '../../../checks/readings/kept-refusals.js'
import { errorBody } from '../../../contract/petstore/schemas.js'

export const refusalBody = defineCheck({
  id: 'errors.refusal-body',
  promise: 'Whether a 429 carries an Error body is reported.',
  clauses: ['ERR-4'],
  reads: 'everything',
  alone: bringing(429),
  judge(evidence) {
    const [refusal] = keptRefusals(evidence)
    if (!refusal) return concluded(evidence, { cases: '429s', least: 1 }, tellingCases(), { kinds: statusKinds(429) })
    const { body } = refusal
    if (body.coding === 'unreadable') {
      return observed(
        'refusal-body',
        { form: 'a body in a coding that nobody can read', statusAgrees: null },
        refusal.witness,
      )
    }
    const object = objectIn(readBody(body))
    const parsed = errorBody.safeParse(object)
    if (parsed.success) {
      return observed(
        'refusal-body',
        { form: 'an Error body', statusAgrees: parsed.data.status === 429n },
        refusal.witness,
      )
    }
    const form = body.bytes === 0 ? 'no body' : object ? 'another JSON object' : 'another body'
    return observed('refusal-body', { form, statusAgrees: null }, refusal.witness)
  },
  sentences: {
    'refusal-body': (f) => `a 429 carries ${f.form}${f.statusAgrees === false ? ', whose status is not 429' : ''}`,
  },
})
