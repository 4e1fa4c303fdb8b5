import { bringing, statusKinds } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeAnswers } from '../../../checks/framework/judge-answers.js'
import { isWhole, nameOf, objectOf } from '../../../checks/readings/answers.js'
import { integer } from '../../../contract/petstore/schemas.js'
import type { Answered } from '../../../evidence/exchange.js'
import { errorAnswers } from '../../readings/error-answers.js'

const needs = { cases: 'Error bodies with a status', least: 1 }

export const statusAgrees = defineCheck({
  id: 'errors.status-agrees',
  promise: 'status in an Error body equals the HTTP status.',
  clauses: ['ERR-2'],
  advice: "Look at the error handler: the status in the body has to come from the answer's own status.",
  reads: 'everything',
  alone: bringing(400, 401, 404),
  needs,
  judge(evidence) {
    const look = (x: Answered) => {
      const shown = integer.safeParse(isWhole(x) ? objectOf(x)?.status : undefined)
      if (!shown.success) return 'left-out'
      const [told, { status: http }] = [String(shown.data), x.response]
      return told === String(http) ? undefined : breach('status-disagrees', { case: nameOf(x), http, body: told })
    }
    const kindOf = ({ response }: Answered) => String(response.status)
    return judgeAnswers(evidence, errorAnswers(evidence), needs, look, { kinds: statusKinds(400, 401, 404), kindOf })
  },
  sentences: {
    'status-disagrees': (f) => `${f.case} was answered ${f.http} with an Error body that says status ${f.body}`,
  },
})
