import { type History, outcomes, type QuotaWindow } from '../../readings/history.js'
import { explain } from '../models/explain.js'
import { partOf } from './counterfactuals.js'

/** 300 years, longer than any run: a window of this length never gives anything back. */
const foreverMs = 1e13

/** Whether the quota was spent once and nothing of it ever came back. */
export const explainedWithoutReturn = (history: History, limit: number): boolean =>
  explain('sliding-log', history, { limit, windowMs: foreverMs }).verdict === 'explained'

/** Which requests renew a window, so that it ends W after the last of them. */
export type Renewing = 'refused' | 'admitted' | 'every'

/**
 * Whether windows that end only W after the last request of some kind explain the history. With W = 60 s and requests
 * every 10 s, such a window never ends, and after L admissions nothing is admitted any more. Decisions are tried at the
 * start, in the middle and at the end of their intervals.
 */
export const explainedByRenewal = (history: History, window: QuotaWindow, renewedBy: Renewing): boolean =>
  [0, 0.5, 1].some((share) => explainedAtShare(history, window, renewedBy, share))

/**
 * The requests in an order in which they can have been decided: of those that were under way at once the refused ones
 * came last. Requests that nobody answered, or not in time, are left out.
 */
const inOrder = ({ sentMs, receivedMs, outcome, size }: History): number[] => {
  const at = (i: number) => (outcome[i] === outcomes.refused ? receivedMs[i] : sentMs[i])
  return Array.from({ length: size }, (_, i) => i)
    .filter((i) => receivedMs[i] !== Number.POSITIVE_INFINITY)
    .sort((a, b) => at(a) - at(b))
}

/** The same with every decision taken to fall at this share of its interval. */
const explainedAtShare = (history: History, window: QuotaWindow, renewedBy: Renewing, share: number): boolean => {
  const { sentMs, receivedMs, outcome } = history
  let within: number[] = []
  let endMs = Number.NaN
  for (const i of inOrder(history)) {
    const decidedMs = sentMs[i] + share * (receivedMs[i] - sentMs[i])
    if (Number.isNaN(endMs)) endMs = decidedMs + window.windowMs
    if (outcome[i] === outcomes.admitted && decidedMs >= endMs) {
      if (!explainedWithoutReturn(partOf(history, within), window.limit)) return false
      within = []
      endMs = decidedMs + window.windowMs
    }
    within.push(i)
    const renews = renewedBy === 'every' || outcome[i] === outcomes[renewedBy]
    if (renews) endMs = Math.max(endMs, decidedMs + window.windowMs)
  }
  return explainedWithoutReturn(partOf(history, within), window.limit)
}
