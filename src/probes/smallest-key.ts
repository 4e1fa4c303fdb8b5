import type { KeyFacts } from './probe.js'

/** The key with least room: the soonest spent, and the one that a slow target still refuses. */
export const smallestOf = (keys: readonly KeyFacts[]): KeyFacts =>
  keys.reduce((best, key) => (key.quota.minute < best.quota.minute ? key : best))
