import type { ResetReading } from './plain-values.js'

/**
 * For how long to wait after an answer until the reset that it shows, in seconds; undefined where it shows none.
 *
 * @param receivedEpochS when the answer was received, in seconds since the epoch on the target's clock.
 */
export const waitUntilReset = (reset: ResetReading, receivedEpochS: number): number | undefined => {
  if (reset.state !== 'number') return undefined
  return Math.max(0, reset.from === 'now' ? reset.value : reset.value - receivedEpochS)
}
