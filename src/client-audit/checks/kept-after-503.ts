import { observed } from '../../checks/framework/finding.js'
import { waitsKept } from '../waits/early-arrivals.js'
import type { Refusal } from '../waits/story.js'
import { defineBackoffCheck } from './client-check.js'
import { durationOf } from './in-words.js'
import { caseNotPlayed } from './shared-findings.js'

const asks = ({ named, arrival }: Refusal): boolean => named.kind === 'seconds' && arrival.status === 503

/** What the client does with `Retry-After` on a 503, of which the interface says nothing. */
export const keptAfter503 = defineBackoffCheck({
  id: 'client.kept-after-503',
  promise: 'Retry-After is kept on a 503 too',
  clauses: ['CLIENT-1'],
  level: 'observe',
  judge(evidence) {
    const { stories, noise } = evidence
    if (!stories.some(({ refusals }) => refusals.some(asks))) return caseNotPlayed('a 503 that names seconds')
    const plays = stories.map((story) => ({ story, ...waitsKept(story, asks, noise) }))
    for (const { story, early } of plays) {
      const first = early.find(({ certain }) => certain)
      if (!first) continue
      const facts = { case: story.play.case, namedMs: first.namedMs, waitedMs: first.waitedMs }
      return observed('early-after-503', facts, first.refusal.arrival, first.arrival)
    }
    const examined = plays.flatMap(({ kept }) => kept).length
    if (examined === 0) return observed('not-kept-after-503', {})
    return observed('kept-after-503', { examined })
  },
  sentences: {
    'early-after-503': (f) =>
      `it came ${durationOf(f.waitedMs)} after a 503 that asked for ${durationOf(f.namedMs)} (${f.case})`,
    'not-kept-after-503': () => 'it was not seen to try again after a 503, which costs nothing',
    'kept-after-503': ({ examined }) => `Retry-After on a 503 was kept ${examined} times`,
  },
})
