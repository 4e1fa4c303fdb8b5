import { exitCodes } from '../../src/assembly/exit-code.js'
import { type ClauseId, clauseOf } from '../../src/contract/clauses.js'
import type { StressResult } from './results.js'

/**
 * The result of a trial under stress. `green`: a fault that the run passed, or whose broken clause was said to hold while
 * nothing was red. `accused`: a conforming variation on which anything failed. Neither may ever happen.
 */
export type TrialOutcome = 'exact' | 'otherwise-red' | 'inconclusive' | 'green' | 'accused' | 'broke-down'

/** How one clause that a fault breaks was judged: `passed` is wrong, but another clause may have failed. */
export type ClauseOutcome = 'red' | 'open' | 'passed'

const isMust = (id: string): boolean => clauseOf(id as ClauseId).level === 'must'

const faultOutcome = ({ expected, exact, failing, passing, open, exitCode }: StressResult): TrialOutcome => {
  if (exact) return 'exact'
  if (failing.length > 0) return 'otherwise-red'
  if (expected.some((id) => passing.includes(id))) return 'green'
  if (expected.some(isMust)) return exitCode === exitCodes.pass ? 'green' : 'inconclusive'
  // A warning never decides the exit code, so only its own verdict counts.
  return expected.some((id) => open.includes(id)) ? 'inconclusive' : 'green'
}

/** The outcome of one play. */
export const outcomeOf = (result: StressResult): TrialOutcome => {
  if (result.exitCode === exitCodes.harness) return 'broke-down'
  if (result.kind === 'fault') return faultOutcome(result)
  if (result.failing.length > 0 || result.exitCode === exitCodes.fail) return 'accused'
  return result.exact && result.exitCode === exitCodes.pass ? 'exact' : 'inconclusive'
}

/** Whether this must never happen, in any play. */
export const isFalse = (outcome: TrialOutcome): boolean => outcome === 'green' || outcome === 'accused'

/** The decisive play of a trial: a false one, whatever the others say; else the last. */
export const decisive = (plays: readonly StressResult[]): StressResult | undefined =>
  plays.find((play) => isFalse(outcomeOf(play))) ?? plays.at(-1)

/** How a clause that the fault breaks was judged. An untested clause is open. */
export const clauseOutcome = ({ failing, passing }: StressResult, clause: string): ClauseOutcome =>
  failing.includes(clause) ? 'red' : passing.includes(clause) ? 'passed' : 'open'
