import { formatDuration } from '../../kit/duration.js'
import { firstFew } from '../../kit/first-few.js'

/** A wait, which may be none. */
export const durationOf = (ms: number): string => (ms < 1 ? '0 ms' : formatDuration(ms))

/** Waits in their order: the first six, and how many more. */
export const durationsOf = (all: readonly number[]): string => firstFew(all.map(durationOf))

/** What was kept each time. */
export const heldTimes = (times: number): string =>
  times === 1 ? 'held the one time that it was asked for' : `held all ${times} times`

/** The advice where a stall of the machine left something open. */
export const againWhileQuiet = 'Audit it again while the machine is quiet.'
