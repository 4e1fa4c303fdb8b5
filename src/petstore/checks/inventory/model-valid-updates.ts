import { defineCheck } from '../../../checks/framework/check.js'
import { notTested } from '../../../checks/framework/finding.js'
import { isWhole, objectOf } from '../../../checks/readings/answers.js'
import { shownEntry } from '../../../contract/petstore/inventory-model.js'
import type { Exchange } from '../../../evidence/exchange.js'
import { judgeWalks, type WalkCases, walkSentences } from '../../judging/judge-walks.js'
import { isUpdated } from '../../readings/listed-pets.js'
import { walkRow } from '../../readings/walk-row.js'

/** Whether the answer shows pet and quantity: what can't be read shows nothing of what was sent. */
const showsBoth = (x: Exchange): boolean => {
  const { petId, quantity } = isUpdated(x) && isWhole(x) ? shownEntry(objectOf(x)) : {}
  return petId !== undefined && quantity !== undefined
}

const steps = new Set(['valid', 'control', 'loose'])

const cases: WalkCases = {
  clause: 'INV-3',
  cases: 'valid PATCHes whose answer could be read',
  least: 1,
  // A quantity that the interface leaves open may be refused; one that is accepted has to be kept.
  asked: ({ row }) => row.filter((x) => steps.has(x.step) && !(x.step === 'loose' && x.response?.status === 400)),
  tells: showsBoth,
}

export const modelValidUpdates = defineCheck({
  id: 'inventory.model-valid-updates',
  promise: 'Random valid updates of random pets are accepted, and answered with that pet and that quantity.',
  clauses: ['INV-3'],
  advice: 'Look at what an update answers: 200, with the pet and the quantity that were stored.',
  reads: ['model-walk'],
  needs: cases,
  yields: true,
  judge(evidence) {
    const played = walkRow(evidence)
    const updates = played.row.filter(({ step }) => steps.has(step))
    if (updates.length > 0 && cases.asked(played).length === 0) return notTested('all-bounds-refused', {})
    return judgeWalks(evidence, played, cases)
  },
  sentences: walkSentences,
})
