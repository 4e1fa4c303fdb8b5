import { countBelow } from '../kit/sorted-counts.js'
import { outcomes } from '../readings/history.js'
import type { JudgedKey } from './judged-keys.js'

/**
 * The most requests that were certainly admitted within some span of W: sent and answered in it (QUOTA-8). Answers
 * alone would give too many, for one that was sent and counted before the span may be answered in it.
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
