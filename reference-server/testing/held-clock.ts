import type { Clock } from '../../src/kit/clock.js'

/** A clock that moves only when it is set or slept on. Starts 300 ms after the beginning of 2026. */
export interface HeldClock extends Clock {
  ms: number
}

const startMs = 1_767_225_600_300

/** Makes one. */
export const heldClock = (): HeldClock => {
  const clock: HeldClock = {
    ms: 0,
    monotonicMs: () => clock.ms,
    wallMs: () => startMs + clock.ms,
    async sleep(ms) {
      clock.ms += ms
    },
  }
  return clock
}
