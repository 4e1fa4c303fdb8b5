import type { Arrival, Audit, CasePlay } from '../../evidence/arrivals.js'
import { type NamedWait, namedWait } from './named-wait.js'

/** A request that was refused, and what its answer named. */
export interface Refusal {
  readonly arrival: Arrival
  readonly answeredAt: number
  readonly named: NamedWait
}

/** What one play tells, of requests that carried the key. */
export interface Story {
  readonly play: CasePlay
  readonly arrivals: readonly Arrival[]
  readonly refusals: readonly Refusal[]
  /** The most requests that were under way at one time. */
  readonly workers: number
}

const refused = ({ status }: Arrival): boolean => status === 429 || status === 503

const mostAtOnce = (arrivals: readonly Arrival[]): number => {
  const edges = arrivals.flatMap(({ at, answeredAt }) => [
    { at, step: 1 },
    { at: answeredAt ?? at, step: -1 },
  ])
  let open = 0
  let most = 0
  // An answer and a request in the same instant are one after the other.
  for (const { step } of edges.sort((a, b) => a.at - b.at || a.step - b.step)) {
    open += step
    most = Math.max(most, open)
  }
  return Math.max(most, arrivals.length > 0 ? 1 : 0)
}

/** The plays of an audit, each with its own arrivals in order. Interrupted plays tell what came until then. */
export const storiesOf = (audit: Audit): readonly Story[] => {
  const byPlay = new Map<string, Arrival[]>()
  for (const arrival of audit.arrivals) {
    if (arrival.credential !== 'bearer') continue
    byPlay.set(arrival.play, [...(byPlay.get(arrival.play) ?? []), arrival])
  }
  return audit.plays.map((play) => {
    const arrivals = byPlay.get(play.id) ?? []
    const refusals = arrivals.filter(refused).map((arrival) => ({
      arrival,
      answeredAt: arrival.answeredAt ?? arrival.at,
      named: namedWait(arrival, audit.head.wallStartMs),
    }))
    return { play, arrivals, refusals, workers: mostAtOnce(arrivals) }
  })
}

/** Whether the client came again after it was refused: more came than were under way at the first refusal. */
export const triesAgain = ({ arrivals, refusals, play }: Story): boolean => {
  const [first] = refusals
  if (!first) return false
  const later = arrivals.filter(({ at }) => at > first.answeredAt).length
  const stillToDo = Math.max(0, play.asked.requests - (arrivals.length - later))
  return later > stillToDo
}

/** A client that has been silent for so long, and was not told to be, has ended, though its process has not. */
const endedAfterMs = 10_000

/** Whether a play was watched until its client had ended: what it had not done by then it does not do. */
export const hasEnded = ({ arrivals, refusals, play }: Story): boolean => {
  if (play.end !== 'watch') return play.end === 'exit'
  const lastAt = Math.max(0, ...arrivals.map(({ at, answeredAt }) => answeredAt ?? at))
  const dueAt = Math.max(lastAt, ...refusals.map(({ named }) => ('untilMs' in named ? named.untilMs : 0)))
  return play.endedAt - dueAt >= endedAfterMs
}

/** A wait so long may be given up by any client. */
const mayGiveUpMs = 300_000

/**
 * Whether a play can not show that its client tries again: every wait that it was told, in seconds, outlasts the watch, or is
 * so long that any client may give it up, and nothing came again.
 */
const staysAway = (story: Story): boolean => {
  const { play, refusals } = story
  if (refusals.length === 0 || triesAgain(story)) return false
  return refusals.every(({ named, answeredAt }) => {
    if (named.kind !== 'seconds' && named.kind !== 'huge') return false
    return play.end === 'watch' ? named.untilMs > play.endedAt : named.untilMs - answeredAt > mayGiveUpMs
  })
}

/**
 * A client that was told to stay away all the time, in whatever was played, and did: for how long it was watched, and
 * whether it gave up each time. Undefined elsewhere.
 */
export const stayingAway = (
  stories: readonly Story[],
): { readonly watchedMs: number; readonly gaveUp: boolean } | undefined => {
  const refused = stories.filter(({ refusals }) => refusals.length > 0)
  if (refused.length === 0 || !refused.every(staysAway)) return undefined
  return {
    watchedMs: Math.max(...refused.map(({ play, refusals: [first] }) => play.endedAt - first.answeredAt)),
    gaveUp: refused.every(({ play }) => play.end === 'exit'),
  }
}
