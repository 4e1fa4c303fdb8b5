import type { ModelName } from '../../contract/limiter-models.js'
import { countBelow, countUpTo } from '../../kit/sorted-counts.js'
import { type History, outcomes, type QuotaWindow } from '../../readings/history.js'
import { tallyOf } from '../counting/tally.js'
import { admissibleModels } from '../models/admissible.js'
import { explain } from '../models/explain.js'

/** When the window began that counts a request which was sent then. */
type BeganAt = (sentMs: number) => number

/**
 * Windows that open with the first admission after the last one's end: with W = 60 s and admissions at 0, 20, 75 and
 * 140 s, at 0, 75 and 140 s.
 */
const opened = (admittedSent: Float64Array, windowMs: number): BeganAt => {
  const openers: number[] = []
  for (const sentMs of admittedSent) {
    const last = openers.at(-1)
    if (last === undefined || sentMs >= last + windowMs) openers.push(sentMs)
  }
  const starts = Float64Array.from(openers)
  return (sentMs) => starts[countUpTo(starts, sentMs) - 1]
}

/**
 * The history with every admission *unknown* that may have been decided by a count which was read too early: fewer than
 * L were answered before it was sent, and more than L were sent before it was answered. With L = 3: of five requests
 * that are sent together all may have read a count of 0. Null where a request was admitted although 2 L had been
 * admitted and answered in its window before it was sent: no reader of an old count misses those.
 */
const withoutRaced = (history: History, window: QuotaWindow, beganAt: BeganAt): History | null => {
  const { admittedSent, admittedReceived } = tallyOf(history, window)
  let hasSerialExcess = false
  const outcome = history.outcome.map((each, i) => {
    if (each !== outcomes.admitted) return each
    const before = countBelow(admittedReceived, beganAt(history.sentMs[i]))
    const answered = countBelow(admittedReceived, history.sentMs[i]) - before
    const sent = countUpTo(admittedSent, history.receivedMs[i]) - before
    if (answered >= 2 * window.limit) hasSerialExcess = true
    return answered < window.limit && sent > window.limit ? outcomes.unknown : each
  })
  return hasSerialExcess ? null : { ...history, outcome }
}

/**
 * Whether the target seems to check its count and raise it in two steps: every admission beyond the limit overlapped
 * those that should have stopped it. Buckets and grids of unknown phase are not asked: a refill, or a boundary in the
 * middle of the burst, would explain nearly any excess.
 */
export const explainedByCheckThenAct = (history: History, window: QuotaWindow): boolean => {
  const sliding: BeganAt = (sentMs) => sentMs - window.windowMs
  const fromFirstRequest = opened(tallyOf(history, window).admittedSent, window.windowMs)
  const asked: readonly (readonly [ModelName, BeganAt])[] = [
    ['fixed-window', sliding],
    ['fixed-window-first-request', fromFirstRequest],
    ['sliding-log', sliding],
  ]
  const admissible = admissibleModels(window)
  return asked.some(([model, beganAt]) => {
    if (!admissible.includes(model)) return false
    const without = withoutRaced(history, window, beganAt)
    return without !== null && explain(model, without, window).verdict === 'explained'
  })
}
