import { defineCheck } from '../check.js'
import { failedControl } from '../expect-status.js'
import { controlOf, judgeWalks, walkRow } from './judge-walks.js'

export const modelAbsentRefused = defineCheck({
  id: 'inventory.model-absent-refused',
  promise: 'A PATCH of a petId that no entry has gets 404, whatever came before it.',
  clauses: ['INV-6'],
  reads: ['model-walk'],
  judge(evidence) {
    const row = walkRow(evidence)
    const cases = row.filter(({ step }) => step === 'absent')
    return failedControl(controlOf(row)) ?? judgeWalks(row, 'INV-6', cases, 'a PATCH of an unknown pet')
  },
})
