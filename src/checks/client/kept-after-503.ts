import { waitsKept } from '../../backoff/named-waits/early-arrivals.js'
import type { Refusal } from '../../backoff/story.js'
import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'

const asks = ({ named, arrival }: Refusal): boolean => named.kind === 'seconds' && arrival.status === 503

/** What the client does with `Retry-After` on a 503, of which the interface says nothing. */
export const keptAfter503: ClientCheck = {
  id: 'client.kept-after-503',
  promise: 'Retry-After is kept on a 503 too',
  clause: 'CLIENT-1',
  level: 'observe',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return { ...nothing, verdict: 'not-tested' }
    const { stories, noise } = evidence
    if (!stories.some(({ refusals }) => refusals.some(asks)))
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 503 that names seconds' })
    const plays = stories.map((story) => ({ story, ...waitsKept(story, asks, noise) }))
    for (const { story, early } of plays) {
      const first = early.find(({ certain }) => certain)
      if (!first) continue
      const facts = { case: story.play.case, namedMs: first.namedMs, waitedMs: first.waitedMs }
      return clientFinding('observed', 'early-after-503', facts, first.refusal.arrival, first.arrival)
    }
    const examined = plays.flatMap(({ kept }) => kept).length
    return clientFinding('observed', 'kept-after-503', { examined })
  },
}
