import type { ModelName } from './explanation.js'
import { type History, outcomes, type QuotaWindow } from './history.js'
import { explain } from './models.js'
import { countBelow, countUpTo } from './sorted-counts.js'
import { tallyOf } from './tally.js'

/** A grid without an anchor could put a boundary inside the burst, and a bucket refill: they explain nearly any excess. */
const anchored: readonly ModelName[] = ['fixed-window', 'fixed-window-first-request', 'sliding-log']

/** Whether each admission beyond the limit overlapped the ones that should have stopped it. */
export const explainedByRace = (history: History, window: QuotaWindow): boolean => {
  const { admittedSent, admittedReceived } = tallyOf(history, window)
  let hasSerialExcess = false
  const raced = history.outcome.map((outcome, i) => {
    if (outcome !== outcomes.admitted) return outcome
    const since = history.sentMs[i] - window.windowMs
    const before = countBelow(admittedReceived, since)
    const answered = countBelow(admittedReceived, history.sentMs[i]) - before
    const sent = countUpTo(admittedSent, history.receivedMs[i]) - before
    // Two whole windows were used up and answered: whoever reads a count, however old, has to see that.
    if (answered >= 2 * window.limit) hasSerialExcess = true
    return answered < window.limit && sent > window.limit ? outcomes.unknown : outcome
  })
  if (hasSerialExcess) return false
  return anchored.some((model) => explain(model, { ...history, outcome: raced }, window).verdict === 'explained')
}
