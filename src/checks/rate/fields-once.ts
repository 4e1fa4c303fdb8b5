import type { HeaderField } from '../../contract/api-contract.js'
import type { Evidence } from '../../evidence/evidence.js'
import { headerValues } from '../../evidence/exchange.js'
import { defineCheck } from '../framework/check.js'
import { breach } from '../framework/finding.js'
import { judgeAnswers } from '../framework/judge-answers.js'
import { nameOf, operationAnswers } from '../readings/answers.js'

/** Fields that are no list, so that a second line says nothing more (RFC 9110 §5.3). */
const single: ReadonlySet<HeaderField['is']> = new Set(['limit', 'remaining', 'used', 'used/limit', 'reset'])

/** The names of such fields; not those that the contract itself has more than once, for then each may be another quota's. */
const singleNames = ({ run }: Evidence): string[] => {
  const fields = run.contract?.headers ?? []
  const timesNamed = (name: string) => fields.filter((each) => each.name.toLowerCase() === name.toLowerCase()).length
  return fields.filter(({ is, name }) => single.has(is) && timesNamed(name) === 1).map(({ name }) => name)
}

const needs = { cases: 'answers with the fields', least: 1 }

export const fieldsOnce = defineCheck({
  id: 'rate.fields-once',
  promise: 'Each field that holds one value comes once.',
  clauses: ['RATE-7'],
  of: 'contract-file',
  advice: 'Look at who writes the field: a gateway and the service may both add it.',
  reads: 'everything',
  alone: [['header-row']],
  needs,
  judge(evidence) {
    const names = singleNames(evidence)
    return judgeAnswers(evidence, operationAnswers(evidence), needs, (x) => {
      const times = names.map((header) => ({ header, times: headerValues(x.response.headers, header).length }))
      const repeated = times.find((each) => each.times > 1)
      if (repeated) return breach('field-more-than-once', { ...repeated, case: nameOf(x) })
      return times.some((each) => each.times === 1) ? undefined : 'left-out'
    })
  },
  sentences: {
    'field-more-than-once': (f) => `${f.header} comes ${f.times} times on ${f.case}`,
  },
})
