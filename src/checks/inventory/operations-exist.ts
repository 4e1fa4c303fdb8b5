import { answersOf } from '../../evidence/evidence.js'
import { judgeEach, nameOf } from '../answers.js'
import { defineCheck } from '../check.js'
import { breach } from '../finding.js'

declare module '../../verdict/verdict.js' {
  interface FindingFacts {
    'operation-missing': { case: string; got: number }
  }
}

const needs = { cases: 'requests without a key', least: 1 }

export const operationsExist = defineCheck({
  id: 'inventory.operations-exist',
  promise: 'GET /pets/{petId} and GET /store/orders are there: without a key they answer 401.',
  clauses: ['INV-9'],
  reads: ['no-key'],
  needs,
  judge(evidence) {
    const asked = answersOf(evidence, 'no-key', 'without').filter(
      (x) => x.operation === 'getPet' || x.operation === 'listOrders',
    )
    return judgeEach(evidence, asked, needs, (x) => {
      const { status } = x.response
      // Any other answer than "not here" shows that it exists; whether it is the right one is AUTH-1's matter.
      return [404, 405, 501].includes(status)
        ? breach('operation-missing', { case: nameOf(x), got: status })
        : undefined
    })
  },
})
