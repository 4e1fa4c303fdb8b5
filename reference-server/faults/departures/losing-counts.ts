import type { Meter } from '../../limiters/meter.js'

/** Counts with this meter the first, the third and so on of what it is told to take. */
export const losingCounts = (meter: Meter): Meter => {
  let taken = 0
  return {
    ...meter,
    take(atMs) {
      taken += 1
      if (taken % 2 !== 0) meter.take(atMs)
    },
  }
}
