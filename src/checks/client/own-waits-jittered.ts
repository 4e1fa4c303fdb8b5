import { jitterOf, spreadsOf } from '../../backoff/own-waits/jitter.js'
import { ownSchedule, usualNoise } from '../../backoff/own-waits/waits.js'
import { clientFinding } from '../../verdict/client-finding.js'
import { type ClientCheck, nothingToJudge } from './client-check.js'

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
    const jitter = jitterOf(spreadsOf(attempts, usualNoise(evidence, stories)))
    if (jitter.kind === 'too-few-plays') {
      const plays = Math.max(...attempts.map(({ waitsMs }) => waitsMs.length))
      return clientFinding('inconclusive', 'too-few-plays', { plays })
    }
    const { attempt, medianMs, spreadMs, plays } = jitter.shown
    const facts = { attempt, waitMs: Math.round(medianMs), spreadMs: Math.round(spreadMs), plays }
    if (jitter.kind === 'yes') return clientFinding('pass', 'jittered', facts)
    if (jitter.kind === 'unclear') {
      const lateMs = Math.round(usualNoise(evidence, stories))
      return clientFinding('inconclusive', 'machine-too-busy', { ...facts, lateMs })
    }
    return clientFinding('fail', 'no-jitter', facts, ...stories[0].arrivals.slice(0, attempt + 1))
  },
}
