import type { Verdict } from './verdict.js'

/** From the gravest down: a failure outweighs a doubt, a doubt outweighs a proof (as Jepsen merges verdicts). */
const gravity: readonly Verdict[] = ['fail', 'inconclusive', 'pass', 'observed', 'not-tested']

/** The verdict of several checks on one clause; of none, it is not tested. */
export const combine = (verdicts: readonly Verdict[]): Verdict =>
  gravity.find((each) => verdicts.includes(each)) ?? 'not-tested'
