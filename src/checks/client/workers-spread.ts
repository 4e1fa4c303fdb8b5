import { returnsOf } from '../../backoff/crowding.js'
import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'

/** Many workers that were refused together do not come back together. */
export const workersSpread: ClientCheck = {
  id: 'client.workers-spread',
  promise: 'many workers that were refused together do not come back in the same moment',
  clause: 'CLIENT-3',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const returns = returnsOf(evidence.stories, evidence.noise)
    if (returns.length === 0) return clientFinding('not-tested', 'no-parallel-workers', {})
    const crowd = returns.find(({ atOnce }) => atOnce === 'yes')
    if (crowd) {
      const { story, workers, withinMs } = crowd
      const facts = { case: story.play.case, workers, withinMs: Math.round(withinMs) }
      return clientFinding('fail', 'workers-come-back-at-once', facts, ...story.arrivals.slice(workers, workers + 3))
    }
    const spread = returns.find(({ atOnce }) => atOnce === 'no')
    const { story, workers, withinMs, lateMs } = spread ?? returns[0]
    const facts = { workers, withinMs: Math.round(withinMs) }
    return spread
      ? clientFinding('pass', 'workers-spread', facts)
      : clientFinding('inconclusive', 'workers-spread-or-held-up', { ...facts, case: story.play.case, lateMs })
  },
}
