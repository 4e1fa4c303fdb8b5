import { comesAtOnce } from './at-once.js'
import { type Growth, growthBeyondNoise } from './growth.js'
import type { AttemptWaits } from './waits.js'

/** The growth of the attempts from an index on. */
const growthFrom = (attempts: readonly AttemptWaits[], from: number, lateMs: number): Growth => {
  const growth = growthBeyondNoise(attempts.slice(from), lateMs)
  if (growth.kind === 'too-few') return growth
  return { ...growth, from, capAt: growth.capAt === null ? null : growth.capAt + from }
}

/**
 * Whether waits grow exponentially, from the first one on: a step from an attempt that came at once to a wait is no growth. Where the machine may
 * have made a wait of such an attempt, and it matters, it is unclear. What comes at once after a wait is a shorter one.
 */
export const growthOf = (attempts: readonly AttemptWaits[], lateMs: number): Growth => {
  const states = [...attempts.map((each) => comesAtOnce(each, lateMs)), 'no']
  const seen = growthFrom(
    attempts,
    states.findIndex((each) => each !== 'yes'),
    lateMs,
  )
  const without = growthFrom(attempts, states.indexOf('no'), lateMs)
  return seen.kind === 'too-few' || seen.kind === without.kind ? seen : { ...seen, kind: 'unclear' }
}
