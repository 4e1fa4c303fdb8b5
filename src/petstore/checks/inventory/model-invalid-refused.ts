import { defineCheck } from '../../../checks/framework/check.js'
import { failedControl } from '../../../checks/framework/expect-status.js'
import { judgeWalks, type WalkCases, walkSentences } from '../../judging/judge-walks.js'
import { controlOf, walkRow } from '../../readings/walk-row.js'

const cases: WalkCases = {
  clause: 'INV-5',
  cases: 'PATCHes with an invalid body',
  least: 1,
  asked: (played) => played.row.filter(({ step }) => step === 'invalid'),
  tells: ({ response }) => response?.status === 400,
}

export const modelInvalidRefused = defineCheck({
  id: 'inventory.model-invalid-refused',
  promise: 'Random bodies that are no JSON object, or whose quantity is no integer, get 400.',
  clauses: ['INV-5'],
  advice: 'Look at how the body of a PATCH is validated: only a JSON object with an integer quantity passes.',
  reads: ['model-walk'],
  needs: cases,
  yields: true,
  judge(evidence) {
    const played = walkRow(evidence)
    return failedControl(controlOf(played)) ?? judgeWalks(evidence, played, cases)
  },
  sentences: walkSentences,
})
