import { defineCheck } from '../../../checks/framework/check.js'
import { failedControl } from '../../../checks/framework/expect-status.js'
import { absentPetAdvice } from '../../judging/absent-pet-advice.js'
import { judgeWalks, type WalkCases, walkSentences } from '../../judging/judge-walks.js'
import { controlOf, walkRow } from '../../readings/walk-row.js'

const cases: WalkCases = {
  clause: 'INV-6',
  cases: 'PATCHes of an unknown pet',
  least: 1,
  asked: (played) => played.row.filter(({ step }) => step === 'absent'),
  tells: ({ response }) => response?.status === 404,
}

export const modelAbsentRefused = defineCheck({
  id: 'inventory.model-absent-refused',
  promise: 'A PATCH of a petId that no entry has gets 404, whatever came before it.',
  clauses: ['INV-6'],
  advice: absentPetAdvice,
  reads: ['model-walk'],
  needs: cases,
  yields: true,
  judge(evidence) {
    const played = walkRow(evidence)
    return failedControl(controlOf(played)) ?? judgeWalks(evidence, played, cases)
  },
  sentences: walkSentences,
})
