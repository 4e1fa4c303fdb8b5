import type { KeyFacts } from '../probe.js'

/** A day of fewer minutes' worth needs every request for the loads that put the limit to the test. */
const leastMinutesInDay = 10

/**
 * The key with least room in its minute: the soonest spent, and the one that a slow target still refuses. One whose day is
 * a few minutes long only where there is no other.
 */
export const smallestOf = (keys: readonly KeyFacts[]): KeyFacts => {
  const roomy = keys.filter(({ quota }) => quota.day >= leastMinutesInDay * quota.minute)
  return (roomy.length > 0 ? roomy : keys).reduce((best, key) => (key.quota.minute < best.quota.minute ? key : best))
}
