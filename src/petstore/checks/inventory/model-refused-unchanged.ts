import { defineCheck } from '../../../checks/framework/check.js'
import { judgeWalks, type WalkCases, walkSentences } from '../../judging/judge-walks.js'
import { walkRow } from '../../readings/walk-row.js'

const cases: WalkCases = {
  clause: 'INV-8',
  cases: 'PATCHes answered 400 or 404 between two readings',
  least: 1,
  asked: ({ row }) => row.filter((x) => x.response?.status === 400 || x.response?.status === 404),
  tells(x, { whole: { exchanges, events } }) {
    const at = exchanges.indexOf(x)
    const isReading = (i: number) => events[i].kind === 'reading'
    return events.some((_, i) => i < at && isReading(i)) && events.some((_, i) => i > at && isReading(i))
  },
}

export const modelRefusedUnchanged = defineCheck({
  id: 'inventory.model-refused-unchanged',
  promise: 'Random updates that are answered 400 or 404 change no entry.',
  clauses: ['INV-8'],
  advice: 'Look at whether the update is stored before it is validated: a refused one must change nothing.',
  reads: ['model-walk'],
  needs: cases,
  yields: true,
  judge: (evidence) => judgeWalks(evidence, walkRow(evidence), cases),
  sentences: walkSentences,
})
