import type { KeyFacts } from '../probe.js'

/** A key whose day has fewer minutes' worth is spared: the loads that test its limit need every request. */
const leastMinutesInDay = 10

/** The key with the smallest minute, which a slow target refuses soonest; a key with a short day only if all are. */
export const smallestOf = (keys: readonly KeyFacts[]): KeyFacts => {
  const roomy = keys.filter(({ quota }) => quota.longer >= leastMinutesInDay * quota.limit)
  return (roomy.length > 0 ? roomy : keys).reduce((best, key) => (key.quota.limit < best.quota.limit ? key : best))
}
