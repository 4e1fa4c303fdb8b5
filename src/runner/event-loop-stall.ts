import type { Clock } from '../kit/clock.js'

export interface StallWatch {
  longestMs(): number
  end(): void
}

const everyMs = 20

/** Watches for times in which this process did nothing at all: a machine that is too busy, or was put to sleep. */
export const watchStalls = (clock: Clock): StallWatch => {
  let last = clock.monotonicMs()
  let longest = 0
  const look = () => {
    const now = clock.monotonicMs()
    longest = Math.max(longest, now - last - everyMs)
    last = now
  }
  const timer = setInterval(look, everyMs)
  return {
    longestMs() {
      look()
      return Math.max(0, longest)
    },
    end: () => clearInterval(timer),
  }
}
