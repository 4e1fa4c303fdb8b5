import { type History, outcomes } from '../history.js'
import type { StatedWindow } from '../readings/stated-window.js'

/** What the target's count and its own statement of the window can't both be right about. */
export interface StatementBreach {
  readonly reason: 'over-admission' | 'early-refusal'
  readonly stated: StatedWindow
  /** Certainly admitted within the window; for an early refusal, at most spent in it by then. */
  readonly counted: number
  /** Places in the history: a few admissions of the window, or the refusal. */
  readonly witnesses: readonly number[]
}

const mostWitnesses = 4

/** More than the limit were admitted in a window of which the target says when it began. */
const overAdmission = (history: History, stated: StatedWindow, limit: number): StatementBreach | null => {
  const naming = new Set(stated.resets)
  const within: number[] = []
  for (let i = 0; i < history.size; i += 1) {
    if (history.outcome[i] !== outcomes.admitted) continue
    const isBetween = history.sentMs[i] >= stated.certainMs.from && history.receivedMs[i] <= stated.certainMs.to
    if (naming.has(i) || isBetween) within.push(i)
  }
  if (within.length <= limit) return null
  const witnesses = [within[0], ...within.slice(1 - mostWitnesses)]
  return { reason: 'over-admission', stated, counted: within.length, witnesses }
}

/** A refusal in a window that began in the run, before so much as the limit can have been spent in it. */
const earlyRefusal = (history: History, stated: StatedWindow, limit: number): StatementBreach | null => {
  if (stated.beganMs.from < history.priorUntilMs) return null
  const naming = new Set(stated.resets)
  for (let i = 0; i < history.size; i += 1) {
    if (history.outcome[i] !== outcomes.refused || !naming.has(i)) continue
    let spent = 0
    for (let j = 0; j < history.size && history.sentMs[j] <= history.receivedMs[i]; j += 1) {
      const mayCount = history.outcome[j] === outcomes.admitted || history.outcome[j] === outcomes.unknown
      if (mayCount && history.receivedMs[j] >= stated.beganMs.from) spent += 1
    }
    // Of the refusals of one window the first finds the least spent.
    return spent < limit ? { reason: 'early-refusal', stated, counted: spent, witnesses: [i] } : null
  }
  return null
}

/**
 * Holds a key's count against what the target says of its windows: either the count is wrong or the Reset is. What was
 * used before the run excuses no admission, and no refusal of a window that began in it. Null where nothing is broken.
 */
export const statementBreach = (
  history: History,
  stated: readonly StatedWindow[],
  limit: number,
): StatementBreach | null => {
  for (const each of stated) {
    const breach = overAdmission(history, each, limit) ?? earlyRefusal(history, each, limit)
    if (breach) return breach
  }
  return null
}
