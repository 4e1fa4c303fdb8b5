import { formatDuration } from '../../kit/duration.js'

/** A wait, which may be none. */
export const durationOf = (ms: number): string => (ms < 1 ? '0 ms' : formatDuration(ms))

/** Waits in their order. */
export const durationsOf = (all: readonly number[]): string => all.map(durationOf).join(', ')

/** What was kept each time. */
export const heldTimes = (times: number): string =>
  times === 1 ? 'held the one time that it was asked for' : `held all ${times} times`
