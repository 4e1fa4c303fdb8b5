import { mostWitnesses } from '../counting/tally.js'
import { type History, outcomes } from '../history.js'
import type { StatedWindow } from '../readings/stated-window.js'

/** A window of which the target's count and its own statement can't both be right. */
export interface StatementBreach {
  readonly reason: 'over-admission' | 'early-refusal'
  readonly stated: StatedWindow
  /** How many were certainly admitted in the window; for an early refusal, the most that can have been spent. */
  readonly counted: number
  /** Indices into the history: a few of the admissions, or the refusal. */
  readonly witnesses: readonly number[]
}

/** More than the limit were admitted in a window of which the target states when it began. */
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

/** A refusal in a window that began within the run, before the limit can have been spent in it. */
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
    // The first refusal of a window found the least spent.
    return spent < limit ? { reason: 'early-refusal', stated, counted: spent, witnesses: [i] } : null
  }
  return null
}

/**
 * Holds a key's count against what the target states of its windows: either the count is wrong or the Reset is. 61
 * admissions between 0 and 60 s, with answers that name a Reset at 60 s and L = 60, break it. Use before the run
 * excuses no admission, nor a refusal in a window that began within the run. Null where nothing is broken.
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
