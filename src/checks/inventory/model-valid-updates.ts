import { defineCheck } from '../check.js'
import { notTested } from '../finding.js'
import { judgeWalks } from './judge-walks.js'
import { walkRow } from './walk-row.js'

export const modelValidUpdates = defineCheck({
  id: 'inventory.model-valid-updates',
  promise: 'Random valid updates of random pets are accepted, and answered with that pet and that quantity.',
  clauses: ['INV-3'],
  reads: ['model-walk'],
  judge(evidence) {
    const played = walkRow(evidence)
    const updates = played.row.filter(({ step }) => step === 'valid' || step === 'control' || step === 'loose')
    // A quantity that the interface leaves open may be refused; one that is accepted has to be kept.
    const judged = updates.filter((x) => x.step !== 'loose' || x.response?.status !== 400)
    if (updates.length > 0 && judged.length === 0) return notTested('all-bounds-refused', {})
    return judgeWalks(played, 'INV-3', judged, 'a valid PATCH')
  },
})
