import type { Clock } from '../src/kit/clock.js'

/** The wall clock at the start, carried on by the monotonic one: windows must not jump when the wall clock is set. */
export const serverTime = (clock: Clock) => {
  const offsetMs = clock.wallMs() - clock.monotonicMs()
  return () => offsetMs + clock.monotonicMs()
}
