import type { Arrival } from '../../evidence/arrivals.js'
import type { Noise } from './noise.js'
import { starvedBetween } from './starved.js'
import type { Refusal, Story } from './story.js'

/** Such an arrival after the first refusal of a series was under way when that was written, if its connection was there. */
export const underWayMs = 100
/** Nobody acts faster on an answer: what opens a connection within this may have decided to before. */
const reactionMs = 10
/** So long nothing came before a refusal that was held back until all that was sent at once had come in. */
const silenceMs = 90
/** Where only the controls tell how long a client may have been held up: its answer, it, and its request may all be. */
export const stalls = 3

/** What an arrival in a series of refusals tells of whether its client knew of the first of them. */
export type Foreknowledge = 'under-way' | 'perhaps' | 'knew'

/**
 * How long the client may have been held up between a refusal and an arrival: the time that its own threads waited for a
 * processor, and what the machine else did to the controls in the same moments. Where the system does not tell of its
 * threads, the controls alone.
 */
const heldUpMs = (refusal: Refusal, arrival: Arrival, noise: Noise): number => {
  const lateMs = noise.mostMs(refusal.answeredAt, arrival.at)
  const starved = starvedBetween(refusal, arrival)
  return starved ? starved.togetherMs + lateMs : stalls * lateMs
}

/** Whether all that was under way with the refusal was refused before that connection came, and nothing served since. */
const nothingElseOpen = ({ arrivals }: Story, { answeredAt }: Refusal, arrival: Arrival): boolean =>
  arrivals
    .slice(0, arrivals.indexOf(arrival))
    .filter((each) => each.answeredAt === null || each.answeredAt > answeredAt - underWayMs)
    .every(
      ({ at, answeredAt: own, status }) => status !== 200 && (at > answeredAt || (own ?? at) <= arrival.openedAfter),
    )

/** Whether the client does one thing at a time, or had its first requests all in before the refusal was written. */
const allHadCome = ({ arrivals, play }: Story, { answeredAt }: Refusal): boolean => {
  const before = arrivals.filter(({ at }) => at <= answeredAt)
  const alone = before.every(({ at }, index) => index === 0 || (before[index - 1].answeredAt ?? at + 1) <= at)
  return (alone && play.asked.workers === 1) || answeredAt - (before.at(-1)?.at ?? 0) >= silenceMs
}

/** What came on a connection that was opened once the refusal had been written. */
const onNewConnection = (story: Story, first: Refusal, arrival: Arrival, heldUp: number): Foreknowledge => {
  const openedMs = arrival.openedAfter - first.answeredAt
  // Who has nothing else under way tries again; only a request that was starved from the beginning comes so late.
  if (nothingElseOpen(story, first, arrival) && allHadCome(story, first)) {
    return heldUp >= silenceMs + openedMs ? 'perhaps' : 'knew'
  }
  return openedMs <= Math.max(reactionMs, heldUp) ? 'perhaps' : 'knew'
}

/**
 * Whether the sender of an arrival knew of the first refusal of its series, as far as times tell. `perhaps`: it came late
 * enough to have known, or on a connection that may be too young, and what held up client or server in those moments may
 * be the reason.
 */
export const foreknowledge = (story: Story, first: Refusal, arrival: Arrival, noise: Noise): Foreknowledge => {
  const { answeredAt } = first
  const { at, notBefore, connection, acceptedAt, openedAfter } = arrival
  if (at < answeredAt) return 'under-way'
  if (connection === first.arrival.connection) return 'knew'
  const heldUp = heldUpMs(first, arrival, noise)
  if (openedAfter >= answeredAt) return onNewConnection(story, first, arrival, heldUp)
  if (at - answeredAt <= underWayMs) return acceptedAt <= answeredAt ? 'under-way' : 'perhaps'
  return notBefore - answeredAt <= underWayMs + heldUp ? 'perhaps' : 'knew'
}
