import { type Clock, leastStillMs } from '../../kit/clock.js'

export interface StallWatch {
  longestMs(): number
  end(): void
}

/** Measures for how long at most this process did nothing: on a machine that is too busy, or was put to sleep. */
export const watchStalls = (clock: Clock): StallWatch => {
  let last = clock.monotonicMs()
  let longest = 0
  const look = () => {
    const now = clock.monotonicMs()
    longest = Math.max(longest, now - last - leastStillMs)
    last = now
  }
  const timer = setInterval(look, leastStillMs)
  return {
    longestMs() {
      look()
      return Math.max(0, longest)
    },
    end: () => clearInterval(timer),
  }
}
