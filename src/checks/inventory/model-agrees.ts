import { defineCheck } from '../check.js'
import { notTested } from '../finding.js'
import { isUpdated } from '../listed-pets.js'
import { judgeWalks } from './judge-walks.js'
import { walkRow } from './walk-row.js'

export const modelAgrees = defineCheck({
  id: 'inventory.model-agrees',
  promise: 'After any sequence of PATCH and GET the list shows what a model of the inventory says.',
  clauses: ['INV-2'],
  reads: ['model-walk'],
  judge(evidence) {
    const played = walkRow(evidence)
    const updates = played.row.filter(({ step }) => step === 'valid' || step === 'control' || step === 'loose')
    if (updates.length > 0 && updates.every((x) => x.step === 'loose' && x.response?.status === 400)) {
      return notTested('all-bounds-refused', {})
    }
    const readings = updates.some(isUpdated) ? played.row.filter((x) => x.operation === 'listInventory') : []
    return judgeWalks(played, 'INV-2', readings, 'a reading after an accepted PATCH')
  },
})
