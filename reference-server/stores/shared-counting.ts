import { UsageError } from '../../src/kit/usage-error.js'

/** The parts of a behaviour that count in this process's memory, or by a clock of its own. */
const countingParts: readonly string[] = ['openMeter', 'decide', 'meter', 'nowMs']

/** Throws where a departure counts in a way of its own: a store that several servers share counts as it is written. */
export const requireSharedCounting = (kind: 'fault' | 'variation', id: string, departed: object): void => {
  const own = countingParts.filter((part) => part in departed)
  if (own.length > 0)
    throw new UsageError(`--${kind} ${id} counts in a way of its own, in memory: leave out --store, or --${kind} ${id}`)
}
