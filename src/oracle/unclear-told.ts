import { type History, outcomes } from '../readings/history.js'
import type { RecordedKey } from './judged-keys.js'

/** What the answers that name one Reset show of its window. */
interface ShownWindow {
  readonly fromMs: number
  toMs: number
  /** When the last that was counted was sent. */
  lastSentMs: number
  /** The least that remained, and when that answer was there. */
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
    if (status === 0 || status >= 500 || record.limit[i] !== window.limit || !(remaining >= 0) || !(reset > 0)) continue
    const [fromMs, toMs] = [record.sentMs[i], record.receivedMs[i]]
    const least = Number.POSITIVE_INFINITY
    const seen = windows.get(reset) ?? {
      fromMs,
      toMs,
      lastSentMs: 0,
      least,
      leastMs: 0,
      shown: new Set(),
      isOnce: true,
    }
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
 * The history with what other answers tell of requests that a gateway answered in the target's place. In a window that a Reset
 * names each admission shows another Remaining, from all but one down. Of 300, 299 to 0 were shown: those that the gateway
 * answered were not counted. All but 120 were: one was. Where that is not as clear they stay unknown.
 */
export const withUnclearTold = (key: RecordedKey): History => {
  const { record, window, history } = key
  const { sentMs } = record
  const isUnclear = (i: number) =>
    history.outcome[i] === outcomes.unknown && (record.status[i] === 0 || record.status[i] >= 500)
  const unclear = Array.from({ length: record.size }, (_, i) => i).filter(isUnclear)
  if (unclear.length === 0 || record.cost) return history
  const windows = windowsShown(key)
  const within = new Map(
    unclear.map((i) => [i, windows.filter(({ fromMs, toMs }) => fromMs <= sentMs[i] && sentMs[i] <= toMs)]),
  )
  const [outcome, receivedMs] = [history.outcome.slice(), history.receivedMs.slice()]
  for (const each of windows) {
    const { shown, isOnce, least, leastMs, lastSentMs } = each
    const inIt = unclear.filter((i) => within.get(i)?.includes(each))
    const isTold = (i: number) =>
      within.get(i)?.length === 1 && record.status[i] > 0 && (least === 0 || record.receivedMs[i] < lastSentMs)
    if (!isOnce || !shown.has(window.limit - 1) || !inIt.every(isTold)) continue
    const missing = window.limit - least - shown.size
    const open = inIt.filter((i) => sentMs[i] < leastMs)
    if (missing > open.length) continue
    for (const i of inIt) outcome[i] = outcomes.excused
    // Which of them were counted is nobody's to know: in one window it makes no difference.
    for (const i of open.slice(0, missing)) {
      outcome[i] = outcomes.admitted
      receivedMs[i] = leastMs
    }
  }
  return { ...history, outcome, receivedMs }
}
