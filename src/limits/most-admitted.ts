import { countBelow } from './counting/sorted-counts.js'
import { outcomes } from './history.js'
import type { JudgedKey } from './judged-keys.js'

/**
 * The most that was certainly admitted on a key within some span of one window: requests that were sent and answered
 * within it (QUOTA-8). By the times of receipt alone it would be more than any limiter let through.
 */
export const mostAdmitted = ({ record, history, window }: Pick<JudgedKey, 'record' | 'history' | 'window'>): number => {
  const isAdmitted = (_: number, i: number) => history.outcome[i] === outcomes.admitted
  const sent = record.sentMs.filter(isAdmitted)
  const received = record.receivedMs.filter(isAdmitted).sort()
  let most = 0
  sent.forEach((from, before) => {
    most = Math.max(most, countBelow(received, from + window.minuteMs) - before)
  })
  return most
}
