import { defineCheck } from '../check.js'
import { failedControl } from '../expect-status.js'
import { judgeWalks } from './judge-walks.js'
import { controlOf, walkRow } from './walk-row.js'

export const modelInvalidRefused = defineCheck({
  id: 'inventory.model-invalid-refused',
  promise: 'Random bodies that are no JSON object, or whose quantity is no integer, get 400.',
  clauses: ['INV-5'],
  reads: ['model-walk'],
  judge(evidence) {
    const played = walkRow(evidence)
    const cases = played.row.filter(({ step }) => step === 'invalid')
    return failedControl(controlOf(played)) ?? judgeWalks(played, 'INV-5', cases, 'a PATCH with an invalid body')
  },
})
