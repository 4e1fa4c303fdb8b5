import type { Audit } from '../../evidence/arrivals.js'
import { type EarlyArrival, waitsKept } from './early-arrivals.js'
import { type ClientEvidence, type Noise, type Refusal, type Story, shortestPauseMs, triesAgain } from './story.js'
import { stalls } from './waits.js'

/** A date may be missed by its second (CLIENT-4). */
export const dateToleranceMs = 1_000

export type EarlyOfStory = EarlyArrival & { readonly story: Story }

/** Whether a 429 names whole seconds, up to a day. */
export const asksForSeconds = ({ named, arrival }: Refusal): boolean =>
  named.kind === 'seconds' && arrival.status === 429

/** Whether a refusal names a future date, in the only form that servers may send (IMF-fixdate). */
export const asksForDate = ({ named }: Refusal): boolean => named.kind === 'date'

export const dateWasNamed = (stories: readonly Story[]): boolean =>
  stories.some(({ refusals }) => refusals.some(asksForDate))

export const earlyOn =
  (asks: (refusal: Refusal) => boolean, toleranceMs = 0) =>
  ({ stories, noise }: ClientEvidence): readonly EarlyOfStory[] =>
    stories.flatMap((story) => waitsKept(story, asks, noise, toleranceMs).early.map((each) => ({ ...each, story })))

export const earlyOnSeconds = earlyOn(asksForSeconds)

/** Arrivals more than a second before a named date. */
export const earlyOnDate = earlyOn(asksForDate, dateToleranceMs)

/** Whether it keeps its seconds while it sends one request at a time; undefined if that was not seen. */
const keepsAlone = ({ stories, noise }: ClientEvidence): boolean | undefined => {
  const alone = stories.filter(({ workers, play }) => workers === 1 && play.asked.workers === 1)
  const told = alone.map((story) => waitsKept(story, asksForSeconds, noise))
  if (told.some(({ early }) => early.some(({ certain }) => certain))) return false
  return told.some(({ kept }) => kept.length > 0) || undefined
}

/**
 * Whether a request that came too early is not the refused one again, but another one on the key: a client that keeps its
 * waits alone does not share them. Connections do not show it where requests take turns on them.
 */
export const isOtherRequest = (evidence: ClientEvidence, { story, arrival, refusal }: EarlyOfStory): boolean =>
  story.workers > 1 && (keepsAlone(evidence) ?? arrival.connection !== refusal.arrival.connection)

/** Whether the client, refused with such a wait, could have come again and did not. */
const gaveUp = (story: Story, asks: (refusal: Refusal) => boolean, noise: Noise, shortestMs: number): boolean => {
  const { play, refusals } = story
  const [first] = refusals
  if (!first || !asks(first) || triesAgain(story) || play.end === 'interrupted') return false
  if (play.end === 'exit' || !('untilMs' in first.named)) return play.end === 'exit'
  const { untilMs } = first.named
  if (play.endedAt - first.answeredAt <= shortestMs) return false
  return play.endedAt > untilMs + 2 * dateToleranceMs + stalls * noise.mostMs(first.answeredAt, play.endedAt)
}

const firstNamedMs = ({ refusals: [first] }: Story): number =>
  first && 'untilMs' in first.named ? first.named.untilMs - first.answeredAt : 0

/** The first play in which a client that comes back elsewhere gave up on a wait that it could have kept. */
export const givesUpOn = ({ stories, noise }: ClientEvidence, asks: (refusal: Refusal) => boolean) => {
  if (!stories.some(triesAgain)) return undefined
  const back = stories.filter((story) => story.refusals.some(asks) && triesAgain(story))
  const longestMs = Math.max(...back.map(firstNamedMs))
  const shortestMs = shortestPauseMs(stories)
  const cases = new Set(back.map(({ play }) => play.case))
  return stories.find(
    (story) =>
      gaveUp(story, asks, noise, shortestMs) &&
      (back.length === 0 || (!cases.has(story.play.case) && firstNamedMs(story) <= longestMs)),
  )
}

const longest = (lengths: readonly number[]): number | null => (lengths.length > 0 ? Math.max(...lengths) : null)

/** The waits in seconds that the client was watched through; a wait that it gave up does not count. */
const watchedIn = ({ play, arrivals, refusals }: Story) => {
  const lastAt = arrivals[arrivals.length - 1]?.at ?? play.startedAt
  return refusals.filter(asksForSeconds).flatMap(({ answeredAt, named }) => {
    if (!('untilMs' in named)) return []
    const seenUntil = play.end === 'watch' ? play.endedAt : lastAt
    const stillWaits = play.end === 'watch' && play.exitCode === null && play.signal === null && lastAt <= answeredAt
    return seenUntil > answeredAt
      ? [{ namedMs: Math.round(named.untilMs - answeredAt), watchedMs: seenUntil - answeredAt, stillWaits }]
      : []
  })
}

/** How long waits in seconds were really watched, on which a pass of CLIENT-1 rests. */
export const watchedWaits = (audit: Audit, stories: readonly Story[]) => {
  const watched = stories.flatMap(watchedIn)
  const toTheEndMs = longest(
    watched.filter(({ namedMs, watchedMs }) => watchedMs >= namedMs).map(({ namedMs }) => namedMs),
  )
  const beyond = watched.filter(({ namedMs, watchedMs }) => watchedMs < namedMs && namedMs > (toTheEndMs ?? 0))
  const watchedMs = longest(beyond.map((each) => each.watchedMs))
  // Whether a client that was started elsewhere is still there is unknown.
  const isOurs = audit.head.client !== '--listen'
  return {
    /** The longest wait that ended while the client was watched; null if there is none. */
    toTheEndMs,
    /** For longer waits: the longest watch, and whether the client was still there at the end each time. */
    cutOff: watchedMs === null ? null : { watchedMs, stillWaits: isOurs && beyond.every((each) => each.stillWaits) },
  }
}

export type WatchedWaits = ReturnType<typeof watchedWaits>
