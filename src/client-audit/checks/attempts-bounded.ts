import { fail, inconclusive, pass } from '../../checks/framework/finding.js'
import { boundOf, mostAttempts } from '../waits/bound.js'
import { ownSchedule } from '../waits/waits.js'
import { defineBackoffCheck } from './client-check.js'
import { durationOf } from './in-words.js'
import { caseNotPlayed } from './shared-findings.js'

/** It gives up, or its waits become a minute long. */
export const attemptsBounded = defineBackoffCheck({
  id: 'client.attempts-bounded',
  promise: 'its attempts end, or its waits come to last a minute',
  clauses: ['CLIENT-3'],
  judge(evidence) {
    const bound = boundOf(evidence.stories, ownSchedule(evidence.stories).stories)
    if (bound.kind === 'nothing-refused') {
      return caseNotPlayed('a 429 that names no wait')
    }
    if (bound.kind === 'bounded') return pass('bounded', { attempts: bound.attempts })
    const { play, arrivals } = bound.story
    if (bound.kind === 'unbounded') {
      return fail('attempts-unbounded', { case: play.case, attempts: arrivals.length }, ...arrivals.slice(-3))
    }
    const facts = { case: play.case, watchedMs: play.endedAt - play.startedAt, longestWaitMs: bound.longestWaitMs }
    return inconclusive('bound-not-seen', facts, ...arrivals.slice(-3))
  },
  sentences: {
    'attempts-unbounded': (f) => `${f.attempts} attempts, and no end (${f.case})`,
    'bound-not-seen': (f) =>
      `still trying when the time was up after ${durationOf(f.watchedMs)}, its longest wait ${durationOf(f.longestWaitMs)} (${f.case})`,
    bounded: ({ attempts }) => `it ends after ${attempts} attempts at most, or waits for a minute`,
  },
  advice: {
    'attempts-unbounded': () => `Give up after a number of attempts: ${mostAttempts} are the most.`,
    'bound-not-seen': () =>
      `Give up after a number of attempts (${mostAttempts} are the most), or watch longer with --watch.`,
  },
})
