import type { QuotaSpec } from '../contract/api-contract.js'
import { returningAtOnce } from '../contract/limiter-models.js'
import { placesOf } from '../kit/numbers.js'
import { outcomes } from '../readings/history.js'
import { showsOwnLimit } from '../readings/key-history.js'
import { namesNoEnd } from './ended-windows.js'
import { isLongEnough } from './gives-back-at-once.js'
import { type JudgedKey, modelsExplaining } from './judged-keys.js'
import { isExact } from './models/explanation.js'
import { countingBack } from './shown-remaining.js'

/** The rows of a window that answers identify by one Reset: those served in it, and those that found it spent. */
interface NamedWindow {
  readonly served: number[]
  readonly refused: number[]
}

/** The windows of a key by the second that its answers name, with the requests that count in them. */
const namedWindows = (key: JudgedKey, { requests }: Pick<QuotaSpec, 'requests'>): readonly NamedWindow[] => {
  const { record, window } = key
  const windows = new Map<number, NamedWindow>()
  if (!isLongEnough(window) || namesNoEnd(key) || record.cost) return []
  for (let row = 0; row < record.size; row += 1) {
    const [end, status] = [record.reset[row], record.status[row]]
    const isCounted = requests.includes(record.operation(row) ?? '')
    if (!isCounted || !showsOwnLimit(record, row, window) || !Number.isInteger(end)) continue
    const named = windows.get(end) ?? { served: [], refused: [] }
    windows.set(end, named)
    if (status >= 200 && status < 300) named.served.push(row)
    if (status === 429 && record.remaining[row] === 0 && record.excused[row] === 0) named.refused.push(row)
  }
  return [...windows.values()]
}

/** Requests of other operations sent after a refusal had shown their window to be spent, each with that refusal. */
const askedWhileSpent = ({ record }: JudgedKey, rows: readonly number[], refused: readonly number[]) =>
  rows.flatMap((row) => {
    if (record.ordinary[row] === 1) return []
    const before = refused.findLast((each) => record.receivedMs[each] <= record.sentMs[row])
    return before === undefined ? [] : [{ row, before }]
  })

/** Those of them that were refused: their operation got nothing of a window that others had spent. */
export const refusedWhileSpent = (key: JudgedKey, quota: Pick<QuotaSpec, 'requests'>): readonly number[] =>
  namedWindows(key, quota).flatMap(({ refused }) => askedWhileSpent(key, refused, refused).map(({ row }) => row))

/** Whether a limiter with gradual return, such as a bucket, explains the key once an admission and these refusals count. */
const mayHaveComeBack = (key: JudgedKey, row: number, refused: readonly number[]): boolean => {
  const outcome = key.history.outcome.slice()
  outcome[row] = outcomes.admitted
  for (const each of refused) outcome[each] = outcomes.refused
  return modelsExplaining(key, { ...key.history, outcome }).some((model) => !returningAtOnce.has(model))
}

/**
 * Whether a refusal may belong to the window before the one that it names, as when a target reads its headers apart from its
 * count: that window may have been spent by then, by requests that name another end.
 */
const mayBeOfBefore = ({ record, window }: JudgedKey, refusal: number): boolean => {
  const { status, reset, sentMs, receivedMs } = record
  const fromMs = sentMs[refusal] - window.windowMs
  const spending = placesOf(
    status.length,
    (i) =>
      status[i] !== 429 && reset[i] !== reset[refusal] && sentMs[i] <= receivedMs[refusal] && !(receivedMs[i] < fromMs),
  )
  return spending.length >= window.limit
}

/**
 * The first request of another operation admitted between two refusals of one window: the first refusal shows that the limit
 * was spent, and the second, of the same operation, that this operation counts here too.
 *
 * Example: all of 60 were admitted, the next refused, then a PATCH admitted and another PATCH refused, all with one Reset.
 */
export const admittedWhileSpent = (key: JudgedKey, quota: Pick<QuotaSpec, 'requests'>) => {
  const { record, agreed, judgement } = key
  if (judgement?.verdict !== 'pass' || !isExact(agreed)) return undefined
  const mayBeCountedBack = countingBack(key)
  for (const { served, refused } of namedWindows(key, quota)) {
    for (const { row, before } of askedWhileSpent(key, served, refused)) {
      const behind = refused.find(
        (each) => record.sentMs[each] >= record.receivedMs[row] && record.operation(each) === record.operation(row),
      )
      // A request that shows something left may have a count of its own.
      const isSure = !(record.remaining[row] > 0) && !mayBeOfBefore(key, before) && !mayBeCountedBack(before, row)
      if (behind !== undefined && isSure && !mayHaveComeBack(key, row, refused)) return { row, before, behind }
    }
  }
  return undefined
}
