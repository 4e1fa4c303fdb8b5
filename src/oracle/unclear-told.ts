import { placesOf } from '../kit/numbers.js'
import { type History, outcomes } from '../readings/history.js'
import type { RecordedKey } from './judged-keys.js'

/** What the answers that name one Reset show about its window. */
interface ShownWindow {
  /** When the first was sent, when it was answered, and when the last was answered. */
  readonly fromMs: number
  readonly openMs: number
  toMs: number
  /** When the last counted one was sent. */
  lastSentMs: number
  /** The lowest Remaining, and when that answer came. */
  least: number
  leastMs: number
  readonly shown: Set<number>
  /** Whether no two show the same Remaining. */
  isOnce: boolean
}

const windowsShown = ({ record, window }: RecordedKey): ShownWindow[] => {
  const windows = new Map<number, ShownWindow>()
  for (let i = 0; i < record.size; i += 1) {
    const [status, reset, remaining] = [record.status[i], record.reset[i], record.remaining[i]]
    // A client that the target does not recognise is shown some other quota.
    if (status === 0 || status === 401 || status >= 500 || record.limit[i] !== window.limit) continue
    if (!(remaining >= 0) || !(reset > 0)) continue
    const [fromMs, toMs] = [record.sentMs[i], record.receivedMs[i]]
    const counts = { lastSentMs: 0, least: Number.POSITIVE_INFINITY, leastMs: 0, isOnce: true }
    const seen = windows.get(reset) ?? { fromMs, openMs: toMs, toMs, ...counts, shown: new Set() }
    windows.set(reset, seen)
    seen.toMs = Math.max(seen.toMs, toMs)
    if (status === 429) continue
    seen.lastSentMs = fromMs
    if (remaining < seen.least) [seen.least, seen.leastMs] = [remaining, toMs]
    seen.isOnce &&= !seen.shown.has(remaining)
    seen.shown.add(remaining)
  }
  return [...windows.values()]
}

/**
 * The history, completed by what other answers tell about requests that a gateway answered in the target's place. In a window
 * that a Reset names, each admission shows another Remaining, counting down from all but one. If 299 to 0 were shown of 300,
 * those that the gateway answered were not counted. If all but 120 were, one was. If it is less clear they stay unknown; but
 * if no later window lacks a value, they were not counted there either.
 */
export const withUnclearTold = (key: RecordedKey): History => {
  const { record, window, history } = key
  const { sentMs } = record
  const isUnclear = (i: number) =>
    history.outcome[i] === outcomes.unknown && (record.status[i] === 0 || record.status[i] >= 500)
  const unclear = placesOf(record.size, isUnclear)
  if (unclear.length === 0 || record.cost) return history
  const windows = windowsShown(key)
  const within = new Map(
    unclear.map((i) => [i, windows.filter(({ fromMs, toMs }) => fromMs <= sentMs[i] && sentMs[i] <= toMs)]),
  )
  const [outcome, receivedMs] = [history.outcome.slice(), history.receivedMs.slice()]
  const accounted = new Set<ShownWindow>()
  for (const each of windows) {
    const { shown, isOnce, least, leastMs, lastSentMs } = each
    const inIt = unclear.filter((i) => within.get(i)?.includes(each))
    const isTold = (i: number) =>
      within.get(i)?.length === 1 && record.status[i] > 0 && (least === 0 || record.receivedMs[i] < lastSentMs)
    const missing = window.limit - least - shown.size
    const open = inIt.filter((i) => sentMs[i] < leastMs)
    if (!isOnce || !shown.has(window.limit - 1) || missing > open.length) continue
    accounted.add(each)
    if (!inIt.every(isTold)) continue
    for (const i of inIt) outcome[i] = outcomes.excused
    // Nobody can know which of them were counted: in one window it makes no difference.
    for (const i of open.slice(0, missing)) {
      outcome[i] = outcomes.admitted
      receivedMs[i] = leastMs
    }
  }
  for (const i of unclear.filter((each) => outcome[each] === outcomes.unknown && record.status[each] > 0)) {
    const later = windows.filter(({ fromMs }) => fromMs > sentMs[i])
    if (later.length === 0 || !later.every((each) => accounted.has(each))) continue
    // A window opened by it afterwards would have been over by the time the next one was opened.
    receivedMs[i] = Math.max(record.receivedMs[i], later[0].openMs - window.windowMs)
  }
  return { ...history, outcome, receivedMs }
}
