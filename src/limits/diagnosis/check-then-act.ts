import { countBelow, countUpTo } from '../counting/sorted-counts.js'
import { tallyOf } from '../counting/tally.js'
import { type History, outcomes, type QuotaWindow } from '../history.js'
import { explain } from '../models/explain.js'
import type { ModelName } from '../models/explanation.js'

/** When the window began in which a request that was sent then is counted. */
type BeganAt = (sentMs: number) => number

/** Windows that the first admission after the last one opens: at 0 s, where a minute is counted, then at 75 s, then at 140 s. */
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
 * The history with each admission left open that overlapped the ones which should have stopped it: fewer than the limit
 * were answered before it was sent, more were sent before its answer was there. Null where two whole windows were used up
 * and answered: whoever reads a count, however old, has to see that.
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
 * Whether each admission beyond the limit overlapped the ones that should have stopped it. Only models with an anchor are
 * asked: a grid without one could put a boundary inside the burst, and a bucket refill, which explains nearly any excess.
 */
export const explainedByCheckThenAct = (history: History, window: QuotaWindow): boolean => {
  const sliding: BeganAt = (sentMs) => sentMs - window.windowMs
  const fromFirstRequest = opened(tallyOf(history, window).admittedSent, window.windowMs)
  const asked: readonly (readonly [ModelName, BeganAt])[] = [
    ['fixed-window', sliding],
    ['fixed-window-first-request', fromFirstRequest],
    ['sliding-log', sliding],
  ]
  return asked.some(([model, beganAt]) => {
    const without = withoutRaced(history, window, beganAt)
    return without !== null && explain(model, without, window).verdict === 'explained'
  })
}
