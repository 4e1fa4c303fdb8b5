import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, type ClientEvidence, nothingToJudge } from './client-check.js'
import { earlyArrivals } from './early-arrivals.js'
import { inWords } from './named-wait.js'
import type { Refusal, Story } from './story.js'
import { type EarlyOfStory, earlyOrUnderWay } from './waits-as-told.js'

/** A date may be missed by its second (CLIENT-4). */
const secondMs = 1_000

const asksForDate = ({ named }: Refusal): boolean => named.kind === 'date'

/** What came more than a second before a date that it was told. */
export const earlyOnDate = ({ stories, noise }: ClientEvidence): readonly EarlyOfStory[] =>
  stories.flatMap((story) => earlyArrivals(story, asksForDate, noise, secondMs).map((each) => ({ ...each, story })))

/** Whether any refusal named a date that was to come. */
export const dateWasNamed = (stories: readonly Story[]): boolean =>
  stories.some(({ refusals }) => refusals.some(asksForDate))

/** A `Retry-After` that is an HTTP-date, in any of its three forms, is kept (RFC 9110 §5.6.7). */
export const datesKept: ClientCheck = {
  id: 'client.dates-kept',
  promise: 'a Retry-After that is an HTTP-date is kept, in all three forms',
  clause: 'CLIENT-4',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const { stories } = evidence
    if (!dateWasNamed(stories))
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names a date' })
    const all = earlyOnDate(evidence)
    const early = all.find(({ certain }) => certain)
    if (!early && all.length > 0) return earlyOrUnderWay(all[0])
    if (!early) {
      return clientFinding('pass', 'held', {
        examined: stories.flatMap((each) => each.refusals.filter(asksForDate)).length,
      })
    }
    const { story, refusal, arrival, namedMs, waitedMs } = early
    const facts = { case: story.play.case, named: inWords(refusal.named), namedMs, waitedMs }
    return clientFinding('fail', 'misses-date', facts, refusal.arrival, arrival)
  },
}
