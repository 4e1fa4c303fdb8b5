import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'
import { earlyArrivals } from './early-arrivals.js'
import type { Refusal } from './story.js'

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
    const examined = evidence.stories.flatMap(({ refusals }) => refusals.filter(asks)).length
    if (examined === 0) return clientFinding('not-tested', 'case-not-played', { wanted: 'a 503 that names seconds' })
    for (const story of evidence.stories) {
      const early = earlyArrivals(story, asks, evidence.noise).find(({ certain }) => certain)
      if (!early) continue
      const facts = { case: story.play.case, namedMs: early.namedMs, waitedMs: early.waitedMs }
      return clientFinding('observed', 'early-after-503', facts, early.refusal.arrival, early.arrival)
    }
    return clientFinding('observed', 'kept-after-503', { examined })
  },
}
