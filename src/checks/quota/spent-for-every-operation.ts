import { planName } from '../../contract/plans.js'
import { count } from '../../kit/words.js'
import { namesNoEnd } from '../../oracle/ended-windows.js'
import { givesBackAtOnce, isLongEnough, mayGiveBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { mostAllowed } from '../../oracle/models/explanation.js'
import { showsOwnLimit } from '../../readings/key-history.js'
import { spellingProbes } from '../../readings/spellings-asked.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'

/** The rows of a window that answers name by one Reset: what was admitted, and what found it spent. */
interface NamedWindow {
  readonly admitted: number[]
  readonly refused: number[]
}

/** The windows of a key that gives nothing back within one, as its answers name them: by a whole second. */
const namedWindows = (key: JudgedKey): readonly NamedWindow[] => {
  const { record, window } = key
  const windows = new Map<number, NamedWindow>()
  if (!givesBackAtOnce(key) || !isLongEnough(window) || namesNoEnd(key) || record.cost) return []
  for (let row = 0; row < record.size; row += 1) {
    const [end, status] = [record.reset[row], record.status[row]]
    if (!showsOwnLimit(record, row, window) || !Number.isInteger(end) || record.operation(row) === null) continue
    const named = windows.get(end) ?? { admitted: [], refused: [] }
    windows.set(end, named)
    if (status >= 200 && status < 300) named.admitted.push(row)
    if (status === 429 && record.remaining[row] === 0) named.refused.push(row)
  }
  return [...windows.values()]
}

/** Requests of other operations that were sent when a refusal had shown their window to be spent, with that one. */
function* askedWhileSpent({ record }: JudgedKey, rows: readonly number[], refused: readonly number[]) {
  for (const row of rows) {
    const before = refused.find((each) => record.receivedMs[each] <= record.sentMs[row])
    if (record.ordinary[row] === 0 && before !== undefined) yield { row, before }
  }
}

/** The next refusal of the same operation: it counts here too. */
const refusedBehind = ({ record }: JudgedKey, row: number, refused: readonly number[]): number | undefined =>
  refused.find(
    (each) => record.sentMs[each] >= record.receivedMs[row] && record.operation(each) === record.operation(row),
  )

export const spentForEveryOperation = defineCheck({
  id: 'quota.spent-for-every-operation',
  promise: 'Once a window is spent, no request of any operation is admitted in it.',
  clauses: ['QUOTA-1'],
  advice: 'Check each place that compares with the limit (<= or <): one operation admits a request beyond it.',
  reads: [...spellingProbes],
  needs: { cases: 'other operations in a window that was spent' },
  yields: true,
  judges: (_, quota) => mayGiveBackAtOnce(quota),
  judge(evidence, telling) {
    for (const key of judgedKeys(evidence)) {
      const { record, plan, agreed } = key
      const most = mostAllowed(agreed)?.limit ?? Number.POSITIVE_INFINITY
      for (const { admitted, refused } of namedWindows(key)) {
        const counted = new Set(refused.map((row) => record.operation(row)))
        const ofCounted = admitted.filter((row) => record.ordinary[row] === 1 || counted.has(record.operation(row)))
        for (const { row, before } of askedWhileSpent(key, admitted, refused)) {
          const behind = refusedBehind(key, row, refused)
          if (behind === undefined || ofCounted.length <= most) continue
          const facts = { plan, operation: record.operation(row), admitted: ofCounted.length, limit: agreed.limit }
          return fail('operation-admitted-while-spent', facts, ...[before, row, behind].map(record.witness))
        }
        for (const { row } of askedWhileSpent(key, refused, refused)) telling.add(record.witness(row))
      }
    }
    return telling.conclude()
  },
  sentences: {
    'operation-admitted-while-spent': (f) =>
      `in one window of the ${planName(f.plan)} key, with a limit of ${count(f.limit)}, ${count(f.admitted)} requests were admitted: between two refusals of that window ${f.operation} was served`,
  },
})
