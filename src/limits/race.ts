import { type History, outcomes, type QuotaWindow } from './history.js'
import { explainAll, explainingModels } from './models.js'
import { countBelow, countUpTo } from './sorted-counts.js'
import { tallyOf } from './tally.js'

/** Whether each admission beyond the limit overlapped the ones that should have stopped it. */
export const explainedByRace = (history: History, window: QuotaWindow): boolean => {
  const { admittedSent, admittedReceived } = tallyOf(history, window)
  const raced = history.outcome.map((outcome, i) => {
    if (outcome !== outcomes.admitted) return outcome
    const since = history.sentMs[i] - window.windowMs
    const answered = countBelow(admittedReceived, history.sentMs[i]) - countBelow(admittedReceived, since)
    const sent = countUpTo(admittedSent, history.receivedMs[i]) - countBelow(admittedReceived, since)
    return answered < window.limit && sent > window.limit ? outcomes.unknown : outcome
  })
  return explainingModels(explainAll({ ...history, outcome: raced }, window)).length > 0
}
