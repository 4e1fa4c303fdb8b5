import { formatDuration } from '../../kit/duration.js'
import { firstFew } from '../../kit/first-few.js'
import type { Amiss } from '../waits/as-asked.js'

/** A wait, which may be none. */
export const durationOf = (ms: number): string => (ms < 1 ? '0 ms' : formatDuration(ms))

/** Waits in their order: the first six, and how many more. */
export const durationsOf = (all: readonly number[]): string => firstFew(all.map(durationOf))

/** What was kept each time. */
export const heldTimes = (times: number): string =>
  times === 1 ? 'held the one time that it was asked for' : `held all ${times} times`

const condition = 'If it stands: '

/** The advice where a stall of the machine left something open: the mend that it takes where it is so after all. */
export const ifItStands = (mend: string): string => `${condition}${mend.charAt(0).toLowerCase()}${mend.slice(1)}`

/** Whether an advice is one of those: another audit of the case, on a quiet machine, would tell. */
export const isLeftByMachine = (advice: string | null): boolean => advice?.startsWith(condition) === true

/** What a case asked for and what came, and that it is not tested by that. */
export const amissInWords = (amiss: Amiss): string => {
  if (amiss.kind === 'nothing') return 'nothing came: not tested'
  if (amiss.kind === 'operation') return `asked for ${amiss.asked}, got ${amiss.came}: not tested`
  if (amiss.kind === 'requests') return `asked for ${amiss.asked} requests, got ${amiss.came}: not tested`
  return `asked for ${amiss.asked} workers, got one: not tested`
}
