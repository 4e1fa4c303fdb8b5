import { atOnceMs, waitsOverlap } from './at-once.js'
import type { ClientEvidence } from './client-evidence.js'
import type { Story } from './story.js'

/** How often in a row a client came at once on `Retry-After: 0`. */
export interface ZeroRuns {
  /** What is certain: none where several workers, unasked, may have been those that came. */
  readonly certain: number
  /** The most that it may be: gaps that the machine may have made longer count as well. */
  readonly most: number
}

const longestRun = (
  { refusals, arrivals, workers }: Story,
  isAtOnce: (from: number, to: number) => boolean,
): number => {
  let longest = 0
  let run = 0
  for (const { named, answeredAt, arrival } of refusals) {
    const next = arrivals[arrivals.indexOf(arrival) + workers]
    run = named.kind === 'zero' && next !== undefined && isAtOnce(answeredAt, next.at) ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/** The longest such run of all plays. */
export const zeroRuns = ({ stories, noise }: ClientEvidence): ZeroRuns => {
  const longest = (isAtOnce: (from: number, to: number) => boolean): number =>
    Math.max(0, ...stories.map((story) => longestRun(story, isAtOnce)))
  return {
    certain: waitsOverlap(stories) ? 0 : longest((from, to) => to - from < atOnceMs),
    most: longest((from, to) => to - from < atOnceMs + noise.mostMs(from, to)),
  }
}
