import { defineCheck } from '../../../checks/framework/check.js'
import { notTested } from '../../../checks/framework/finding.js'
import type { Exchange } from '../../../evidence/exchange.js'
import { judgeWalks, type WalkCases, walkSentences } from '../../judging/judge-walks.js'
import { isUpdated, quantitiesOf } from '../../readings/listed-pets.js'
import { type WalkRow, walkRow } from '../../readings/walk-row.js'

const updatesIn = ({ row }: WalkRow): Exchange[] =>
  row.filter(({ step }) => step === 'valid' || step === 'control' || step === 'loose')

const cases: WalkCases = {
  clause: 'INV-2',
  cases: 'readings after an accepted PATCH',
  least: 1,
  asked(played) {
    const [accepted] = updatesIn(played).filter(isUpdated)
    const first = accepted ? played.row.indexOf(accepted) : -1
    return first < 0 ? [] : played.row.slice(first).filter((x) => x.operation === 'listInventory')
  },
  tells: (x) => quantitiesOf(x) !== undefined,
}

export const modelAgrees = defineCheck({
  id: 'inventory.model-agrees',
  promise: 'After any sequence of PATCH and GET the list shows what a model of the inventory says.',
  clauses: ['INV-2'],
  advice: 'Look at how updates are stored: lost writes, a stale cache, or a row that is mistaken for another.',
  reads: ['model-walk'],
  needs: cases,
  yields: true,
  judge(evidence) {
    const played = walkRow(evidence)
    const updates = updatesIn(played)
    if (updates.length > 0 && updates.every((x) => x.step === 'loose' && x.response?.status === 400)) {
      return notTested('all-bounds-refused', {})
    }
    return judgeWalks(evidence, played, cases)
  },
  sentences: walkSentences,
})
