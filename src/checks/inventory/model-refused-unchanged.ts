import { defineCheck } from '../check.js'
import { judgeWalks } from './judge-walks.js'
import { walkRow } from './walk-row.js'

export const modelRefusedUnchanged = defineCheck({
  id: 'inventory.model-refused-unchanged',
  promise: 'Random updates that are answered 400 or 404 change no entry.',
  clauses: ['INV-8'],
  reads: ['model-walk'],
  judge(evidence) {
    const played = walkRow(evidence)
    const refused = played.row.filter((x) => x.response?.status === 400 || x.response?.status === 404)
    return judgeWalks(played, 'INV-8', refused, 'a refused PATCH between two readings')
  },
})
