import { waitsKept } from '../../backoff/named-waits/early-arrivals.js'
import type { Refusal } from '../../backoff/story.js'
import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'
import { givesUpOn } from './dates-kept.js'

const secondMs = 1_000
const asks = ({ named }: Refusal): boolean => named.kind === 'obsolete-date'

/** What the client does with the two obsolete forms of a date, which no server may send and every recipient has to read. */
export const obsoleteDates: ClientCheck = {
  id: 'client.obsolete-dates',
  promise: 'the two obsolete forms of an HTTP-date are kept too',
  clause: 'CLIENT-4',
  level: 'observe',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return { ...nothing, verdict: 'not-tested' }
    const { stories, noise } = evidence
    if (!stories.some(({ refusals }) => refusals.some(asks)))
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names a date in an obsolete form' })
    const plays = stories.map((story) => ({ story, ...waitsKept(story, asks, noise, secondMs) }))
    for (const { story, early } of plays) {
      const first = early.find(({ certain }) => certain)
      if (!first) continue
      return clientFinding('observed', 'obsolete-date-missed', { case: story.play.case }, first.refusal.arrival)
    }
    const givenUp = givesUpOn(stories, asks)
    if (givenUp) return clientFinding('observed', 'obsolete-date-missed', { case: givenUp.play.case })
    return clientFinding('observed', 'obsolete-dates-kept', { examined: plays.flatMap(({ kept }) => kept).length })
  },
}
