import type { Story } from './story.js'

/** More refused attempts than this on one case have no bound (CLIENT-3). */
export const mostAttempts = 100
/** A wait of a minute is as good as an end. */
const longEnoughMs = 60_000
/** A client that has been silent for so many times its longest wait has ended, though its process has not. */
const endedAfter = 5
const leastSilenceMs = 10_000

/** Whether a client's attempts end. */
export type Bound =
  | { readonly kind: 'bounded'; readonly attempts: number }
  | { readonly kind: 'unbounded'; readonly story: Story }
  /** It was still at it when the time was up, its waits below a minute. */
  | { readonly kind: 'not-seen'; readonly story: Story; readonly longestWaitMs: number }
  | { readonly kind: 'nothing-refused' }

/** All waits of a play, its silence at the end included where the client had not ended by itself. */
const silencesOf = ({ arrivals, play }: Story): { readonly waits: readonly number[]; readonly atEnd: number } => {
  const waits = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index].answeredAt ?? arrivals[index].at))
  const last = arrivals[arrivals.length - 1]
  return { waits, atEnd: play.end === 'watch' && last ? play.endedAt - (last.answeredAt ?? last.at) : 0 }
}

const openEnd = (story: Story): number | undefined => {
  const { waits, atEnd } = silencesOf(story)
  const longest = Math.max(0, ...waits)
  if (story.play.end !== 'watch' || Math.max(longest, atEnd) >= longEnoughMs) return undefined
  return atEnd >= Math.max(leastSilenceMs, endedAfter * longest) ? undefined : longest
}

/**
 * Whether the attempts are bounded (CLIENT-3): never more than a hundred in a case, and in the cases where it is on its
 * own the client ends, or waits for a minute.
 */
export const boundOf = (stories: readonly Story[], alone: readonly Story[]): Bound => {
  const unbounded = stories.find(({ play }) => play.end === 'attempts')
  if (unbounded) return { kind: 'unbounded', story: unbounded }
  const tried = alone.filter(({ play, refusals }) => refusals.length > 0 && play.end !== 'interrupted')
  if (tried.length === 0) return { kind: 'nothing-refused' }
  for (const story of tried) {
    const longestWaitMs = openEnd(story)
    if (longestWaitMs !== undefined) return { kind: 'not-seen', story, longestWaitMs }
  }
  return { kind: 'bounded', attempts: Math.max(...tried.map(({ arrivals }) => arrivals.length)) }
}
