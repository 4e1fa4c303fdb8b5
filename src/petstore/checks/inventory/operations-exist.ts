import { operationKinds, operationOf } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeAnswers } from '../../../checks/framework/judge-answers.js'
import { nameOf } from '../../../checks/readings/answers.js'
import { answersOf } from '../../../evidence/evidence.js'
import type { Answered } from '../../../evidence/exchange.js'

const needs = { cases: 'requests without a key', least: 1 }

export const operationsExist = defineCheck({
  id: 'inventory.operations-exist',
  promise: 'GET /pets/{petId} and GET /store/orders are there: without a key they answer 401.',
  clauses: ['INV-9'],
  advice: 'Look at whether these routes are deployed, and behind the same check of the key.',
  reads: ['no-key'],
  needs,
  judge(evidence) {
    const asked = answersOf(evidence, 'no-key', 'without').filter(
      (x) => x.operation === 'getPet' || x.operation === 'listOrders',
    )
    const look = (x: Answered) => {
      const { status } = x.response
      if ([404, 405, 501].includes(status)) return breach('operation-missing', { case: nameOf(x), got: status })
      // Any other answer of the operation shows that it exists; whether it is the right one is AUTH-1's matter. What
      // stands before it, a limit on strangers or a server that broke down, does not know of it.
      return status === 429 || status >= 500 ? 'left-out' : undefined
    }
    const kinds = operationKinds(evidence, 'no-key', ['getPet', 'listOrders'])
    return judgeAnswers(evidence, asked, needs, look, { kinds, kindOf: operationOf })
  },
  sentences: {
    'operation-missing': (f) => `${f.case} without a key was answered ${f.got}: it is not there`,
  },
})
