import { defineCheck } from '../../../checks/framework/check.js'
import { observed } from '../../../checks/framework/finding.js'
import { nothingTold } from '../../../checks/framework/needs.js'
import { operationAnswers } from '../../../checks/readings/answers.js'
import { listInWords } from '../../../kit/list-in-words.js'

export const stability = defineCheck({
  id: 'versioning.stability',
  promise: 'How stability markers show is reported.',
  clauses: ['VER-2'],
  reads: 'everything',
  alone: [['header-row']],
  judge(evidence) {
    const answers = operationAnswers(evidence)
    if (answers.length === 0) return nothingTold('answers of operations')
    const telling = answers.flatMap(({ response }) =>
      response.headers.flatMap(([name, value]) =>
        /stability|experimental|beta/i.test(`${name}: ${value}`) ? [`${name}: ${value}`.slice(0, 80)] : [],
      ),
    )
    return observed('stability-shown', { headers: [...new Set(telling)].slice(0, 5) }, answers[0])
  },
  sentences: {
    'stability-shown': ({ headers }) =>
      headers.length === 0 ? 'no header tells of stability' : `shown by ${listInWords(headers)}`,
  },
})
