import { boundOf } from '../../backoff/bound.js'
import { ownSchedule } from '../../backoff/own-waits/waits.js'
import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'

/** It gives up, or its waits become a minute long. */
export const attemptsBounded: ClientCheck = {
  id: 'client.attempts-bounded',
  promise: 'its attempts end, or its waits come to last a minute',
  clause: 'CLIENT-3',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const bound = boundOf(evidence.stories, ownSchedule(evidence.stories).stories)
    if (bound.kind === 'nothing-refused') {
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names no wait' })
    }
    if (bound.kind === 'bounded') return clientFinding('pass', 'bounded', { attempts: bound.attempts })
    const { play, arrivals } = bound.story
    if (bound.kind === 'unbounded') {
      return clientFinding(
        'fail',
        'attempts-unbounded',
        { case: play.case, attempts: arrivals.length },
        ...arrivals.slice(-3),
      )
    }
    const facts = { case: play.case, watchedMs: play.endedAt - play.startedAt, longestWaitMs: bound.longestWaitMs }
    return clientFinding('inconclusive', 'bound-not-seen', facts, ...arrivals.slice(-3))
  },
}
