import type { Audit } from '../../evidence/arrivals.js'
import { asksForSeconds } from './seconds-and-dates.js'
import type { Story } from './story.js'

/** How long named waits were really watched: what a pass of CLIENT-1 rests on. */
export interface WatchedWaits {
  /** The longest wait in seconds that was over while the client was watched; null where none was. */
  readonly toTheEndMs: number | null
  /** Of longer ones, which outlasted the watch; null where there were none. */
  readonly cutOff: {
    /** The most that one of them was watched for. */
    readonly watchedMs: number
    /** Whether the command was seen to be still there, in every play of that kind, when the time was up. */
    readonly stillWaits: boolean
  } | null
}

interface Watched {
  readonly namedMs: number
  readonly watchedMs: number
  readonly stillWaits: boolean
}

const longest = (lengths: readonly number[]): number | null => (lengths.length > 0 ? Math.max(...lengths) : null)

/** The waits in seconds that the client sat out: of one that it gave up, no length was watched. */
const watchedIn = ({ play, arrivals, refusals }: Story): Watched[] => {
  const lastAt = arrivals[arrivals.length - 1]?.at ?? play.startedAt
  return refusals.filter(asksForSeconds).flatMap(({ answeredAt, named }) => {
    if (!('untilMs' in named)) return []
    const seenUntil = play.end === 'watch' ? play.endedAt : lastAt
    const stillWaits = play.end === 'watch' && play.exitCode === null && play.signal === null && lastAt <= answeredAt
    return seenUntil > answeredAt
      ? [{ namedMs: named.untilMs - answeredAt, watchedMs: seenUntil - answeredAt, stillWaits }]
      : []
  })
}

/** Tells of the waits that were named in seconds how long they were watched. */
export const watchedWaits = (audit: Audit, stories: readonly Story[]): WatchedWaits => {
  const watched = stories.flatMap(watchedIn)
  const toTheEndMs = longest(
    watched.filter(({ namedMs, watchedMs }) => watchedMs >= namedMs).map(({ namedMs }) => namedMs),
  )
  const beyond = watched.filter(({ namedMs, watchedMs }) => watchedMs < namedMs && namedMs > (toTheEndMs ?? 0))
  const watchedMs = longest(beyond.map((each) => each.watchedMs))
  // Of a client that was started elsewhere nobody knows whether it is still there.
  const isOurs = audit.head.client !== '--listen'
  return {
    toTheEndMs,
    cutOff: watchedMs === null ? null : { watchedMs, stillWaits: isOurs && beyond.every((each) => each.stillWaits) },
  }
}
