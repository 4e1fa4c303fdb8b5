import { type History, outcomes, type QuotaWindow } from './history.js'
import { explain } from './models.js'
import { partOf } from './retelling.js'

/** Longer than any run: a window of this length never gives anything back. */
const foreverMs = 1e13

/** Whether the quota was spent once and nothing of it ever came back. */
export const explainedWithoutReturn = (history: History, limit: number): boolean =>
  explain('sliding-log', history, { limit, windowMs: foreverMs }).verdict === 'explained'

/**
 * Whether windows that end only W after the last request of some kind explain the history: with `refused` a refusal
 * pushes the end on, with `every` any request does. Within one such window the quota never comes back.
 */
export const explainedByRenewal = (history: History, window: QuotaWindow, renewedBy: 'refused' | 'every'): boolean =>
  [0, 0.5, 1].some((share) => explainedAtShare(history, window, renewedBy, share))

/** The same with each decision taken to fall at one share of its interval. */
const explainedAtShare = (
  history: History,
  window: QuotaWindow,
  renewedBy: 'refused' | 'every',
  share: number,
): boolean => {
  const { sentMs, receivedMs, outcome, size } = history
  let from = 0
  let endMs = Number.NaN
  for (let i = 0; i < size; i++) {
    if (receivedMs[i] === Number.POSITIVE_INFINITY) continue
    const decidedMs = sentMs[i] + share * (receivedMs[i] - sentMs[i])
    if (Number.isNaN(endMs)) endMs = decidedMs + window.windowMs
    if (outcome[i] === outcomes.admitted && decidedMs >= endMs) {
      if (!explainedWithoutReturn(partOf(history, from, i), window.limit)) return false
      from = i
      endMs = decidedMs + window.windowMs
    }
    if (renewedBy === 'every' || outcome[i] === outcomes.refused) endMs = Math.max(endMs, decidedMs + window.windowMs)
  }
  return explainedWithoutReturn(partOf(history, from, size), window.limit)
}
