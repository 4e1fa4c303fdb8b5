import { waitsKept } from '../../backoff/named-waits/early-arrivals.js'
import type { KeptWait } from '../../backoff/named-waits/kept-waits.js'
import { inWords } from '../../backoff/named-waits/named-wait.js'
import { ownSchedule } from '../../backoff/own-waits/waits.js'
import { type Refusal, type Story, triesAgain } from '../../backoff/story.js'
import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, type ClientEvidence, nothingToJudge } from './client-check.js'
import { type EarlyOfStory, earlyOrUnderWay } from './waits-as-told.js'

/** A date may be missed by its second (CLIENT-4). */
const secondMs = 1_000
/** Waits so far apart are not the same, but for chance. */
const apart = 0.2

type OwnSchedule = ReturnType<typeof ownSchedule>

const asksForDate = ({ named }: Refusal): boolean => named.kind === 'date'

/** What came more than a second before a date that it was told. */
export const earlyOnDate = ({ stories, noise }: ClientEvidence): readonly EarlyOfStory[] =>
  stories.flatMap((story) => waitsKept(story, asksForDate, noise, secondMs).early.map((each) => ({ ...each, story })))

/** Whether any refusal named a date that was to come, in the one form that servers may send (IMF-fixdate). */
export const dateWasNamed = (stories: readonly Story[]): boolean =>
  stories.some(({ refusals }) => refusals.some(asksForDate))

/** Whether the client, refused with such a wait, was there to come again and did not. */
const gaveUp = (story: Story, asks: (refusal: Refusal) => boolean): boolean => {
  const { play, refusals } = story
  const [first] = refusals
  if (!first || !asks(first) || triesAgain(story) || play.end === 'interrupted') return false
  return play.end === 'exit' || ('untilMs' in first.named && play.endedAt > first.named.untilMs + 2 * secondMs)
}

/** The first play in which a client that does come back elsewhere gave up on such a wait. */
export const givesUpOn = (stories: readonly Story[], asks: (refusal: Refusal) => boolean): Story | undefined =>
  stories.some(triesAgain) && !stories.some((story) => story.refusals.some(asks) && triesAgain(story))
    ? stories.find((story) => gaveUp(story, asks))
    : undefined

/**
 * A date that was kept tells something where the client did not only happen to wait as long: what it waits by itself, at
 * that attempt, is clearly another time. Where that was not played it has to come promptly.
 */
const tellsOf = ({ refusals }: Story, { refusal, arrival, lateMs }: KeptWait, own: OwnSchedule): boolean => {
  if (own.stories.length === 0) return lateMs <= secondMs
  const attempt = own.attempts[refusals.indexOf(refusal)]
  if (!attempt) return true
  const waitedMs = arrival.at - refusal.answeredAt
  const { waitsMs } = attempt
  return waitedMs < waitsMs[0] * (1 - apart) || waitedMs > waitsMs[waitsMs.length - 1] * (1 + apart)
}

/** A `Retry-After` that is an HTTP-date, in the form that servers send (IMF-fixdate, RFC 9110 §5.6.7), is kept. */
export const datesKept: ClientCheck = {
  id: 'client.dates-kept',
  promise: 'a Retry-After that is an HTTP-date (IMF-fixdate) is kept',
  clause: 'CLIENT-4',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const { stories, noise } = evidence
    if (!dateWasNamed(stories))
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names a date' })
    const all = earlyOnDate(evidence)
    const early = all.find(({ certain }) => certain)
    if (early) {
      const { story, refusal, arrival, namedMs, waitedMs } = early
      const facts = { case: story.play.case, named: inWords(refusal.named), namedMs, waitedMs }
      return clientFinding('fail', 'misses-date', facts, refusal.arrival, arrival)
    }
    if (all.length > 0) return earlyOrUnderWay(all[0])
    const givenUp = givesUpOn(stories, asksForDate)
    if (givenUp) return clientFinding('fail', 'gives-up-on-date', { case: givenUp.play.case }, givenUp.arrivals[0])
    const own = ownSchedule(stories)
    const kept = stories.flatMap((story) =>
      waitsKept(story, asksForDate, noise, secondMs).kept.map((each) => tellsOf(story, each, own)),
    )
    const facts = { examined: kept.length, telling: kept.filter(Boolean).length }
    return facts.telling > 0
      ? clientFinding('pass', 'dates-kept', facts)
      : clientFinding('inconclusive', 'date-or-own-wait', facts)
  },
}
