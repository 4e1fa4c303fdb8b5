import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'
import { hammeringIn } from './hammering.js'
import { isJittered, spreadsOf } from './jitter.js'
import { ownSchedule } from './waits.js'

/** The waits that it chooses itself differ from play to play. */
export const ownWaitsJittered: ClientCheck = {
  id: 'client.own-waits-jittered',
  promise: 'the waits that it chooses itself are jittered',
  clause: 'CLIENT-3',
  judge(evidence) {
    const nothing = nothingToJudge(evidence)
    if (nothing) return nothing
    const { stories, attempts } = ownSchedule(evidence.stories)
    if (stories.length === 0)
      return clientFinding('not-tested', 'case-not-played', { wanted: 'a 429 that names no wait' })
    if (attempts.length === 0) return clientFinding('inconclusive', 'no-own-waits', {})
    const spreads = spreadsOf(attempts)
    const jittered = isJittered(spreads)
    if (jittered === undefined) {
      return clientFinding('inconclusive', 'too-few-plays', {
        plays: Math.max(...attempts.map((each) => each.waitsMs.length)),
      })
    }
    const shown = spreads.find((each) => each.jittered === jittered) ?? spreads[0]
    const { attempt, medianMs, spreadMs, plays } = shown
    const facts = { attempt, waitMs: Math.round(medianMs), spreadMs: Math.round(spreadMs), plays }
    if (jittered) return clientFinding('pass', 'jittered', facts)
    // Of a client that hammers, the missing jitter is the least.
    const [hammered] = hammeringIn(stories)
    return clientFinding(
      'fail',
      'no-jitter',
      facts,
      ...(hammered?.witnesses ?? stories[0].arrivals.slice(0, attempt + 1)),
    )
  },
}
