import { defineCheck } from '../check.js'
import { failedControl } from '../expect-status.js'
import { judgeWalks } from './judge-walks.js'
import { controlOf, walkRow } from './walk-row.js'

export const modelAbsentRefused = defineCheck({
  id: 'inventory.model-absent-refused',
  promise: 'A PATCH of a petId that no entry has gets 404, whatever came before it.',
  clauses: ['INV-6'],
  reads: ['model-walk'],
  judge(evidence) {
    const played = walkRow(evidence)
    const cases = played.row.filter(({ step }) => step === 'absent')
    return failedControl(controlOf(played)) ?? judgeWalks(played, 'INV-6', cases, 'a PATCH of an unknown pet')
  },
})
