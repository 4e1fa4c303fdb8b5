import type { QuotaSpec } from '../contract/api-contract.js'
import { showsOwnLimit } from '../readings/key-history.js'
import { namesNoEnd } from './ended-windows.js'
import { givesBackAtOnce, isLongEnough } from './gives-back-at-once.js'
import type { JudgedKey } from './judged-keys.js'
import { mostAllowed } from './models/explanation.js'

/** The rows of a window that answers name by one Reset: what was admitted, and what found it spent. */
interface NamedWindow {
  readonly admitted: number[]
  readonly refused: number[]
}

/**
 * The windows of a key that gives nothing back within one, as its answers name them: by a whole second. Of what counts against
 * the quota, and without refusals that another one may have given.
 */
const namedWindows = (key: JudgedKey, { requests }: Pick<QuotaSpec, 'requests'>): readonly NamedWindow[] => {
  const { record, window } = key
  const windows = new Map<number, NamedWindow>()
  if (!givesBackAtOnce(key) || !isLongEnough(window) || namesNoEnd(key) || record.cost) return []
  for (let row = 0; row < record.size; row += 1) {
    const [end, status] = [record.reset[row], record.status[row]]
    const isCounted = requests.includes(record.operation(row) ?? '')
    if (!isCounted || !showsOwnLimit(record, row, window) || !Number.isInteger(end)) continue
    const named = windows.get(end) ?? { admitted: [], refused: [] }
    windows.set(end, named)
    if (status >= 200 && status < 300) named.admitted.push(row)
    if (status === 429 && record.remaining[row] === 0 && record.excused[row] === 0) named.refused.push(row)
  }
  return [...windows.values()]
}

/** Requests of other operations that were sent when a refusal had shown their window to be spent, with that one. */
const askedWhileSpent = ({ record }: JudgedKey, rows: readonly number[], refused: readonly number[]) =>
  rows.flatMap((row) => {
    if (record.ordinary[row] === 1) return []
    const before = refused.find((each) => record.receivedMs[each] <= record.sentMs[row])
    return before === undefined ? [] : [{ row, before }]
  })

/** Those of them that were refused: their operation got nothing of a window that others had spent. */
export const refusedWhileSpent = (key: JudgedKey, quota: Pick<QuotaSpec, 'requests'>): readonly number[] =>
  namedWindows(key, quota).flatMap(({ refused }) => askedWhileSpent(key, refused, refused).map(({ row }) => row))

/** An admission between two refusals of one window, and how many that window admitted. */
interface AdmittedBeyond {
  readonly row: number
  readonly before: number
  readonly behind: number
  readonly admitted: number
}

/**
 * The first request of another operation that was admitted in a window that was spent, where that admitted more than the limit. The
 * same operation was refused behind it, so that it counts here too.
 *
 * Example: 60 of 60 were admitted, the next one refused, then a PATCH admitted, and another PATCH refused, all with one Reset.
 */
export const admittedWhileSpent = (key: JudgedKey, quota: Pick<QuotaSpec, 'requests'>): AdmittedBeyond | undefined => {
  const { record, agreed } = key
  const most = mostAllowed(agreed)?.limit ?? Number.POSITIVE_INFINITY
  for (const { admitted, refused } of namedWindows(key, quota)) {
    const counted = new Set(refused.map((row) => record.operation(row)))
    const total = admitted.filter((row) => record.ordinary[row] === 1 || counted.has(record.operation(row))).length
    if (total <= most) continue
    for (const { row, before } of askedWhileSpent(key, admitted, refused)) {
      const behind = refused.find(
        (each) => record.sentMs[each] >= record.receivedMs[row] && record.operation(each) === record.operation(row),
      )
      if (behind !== undefined) return { row, before, behind, admitted: total }
    }
  }
  return undefined
}
