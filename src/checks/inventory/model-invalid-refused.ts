import { defineCheck } from '../check.js'
import { failedControl } from '../expect-status.js'
import { controlOf, judgeWalks, walkRow } from './judge-walks.js'

export const modelInvalidRefused = defineCheck({
  id: 'inventory.model-invalid-refused',
  promise: 'Random bodies that are no JSON object, or whose quantity is no integer, get 400.',
  clauses: ['INV-5'],
  reads: ['model-walk'],
  judge(evidence) {
    const row = walkRow(evidence)
    const cases = row.filter(({ step }) => step === 'invalid')
    return failedControl(controlOf(row)) ?? judgeWalks(row, 'INV-5', cases, 'a PATCH with an invalid body')
  },
})
