import { jitterOf, spreadsOf } from '../../backoff/own-waits/jitter.js'
import { ownSchedule, usualNoise } from '../../backoff/own-waits/waits.js'
import { fail, inconclusive, pass } from '../law/finding.js'
import { defineBackoffCheck } from './client-check.js'
import { durationOf } from './in-words.js'
import { caseNotPlayed, tooFewPlays } from './shared-findings.js'

/** The waits that it chooses itself differ from play to play. */
export const ownWaitsJittered = defineBackoffCheck({
  id: 'client.own-waits-jittered',
  promise: 'the waits that it chooses itself are jittered',
  clauses: ['CLIENT-3'],
  judge(evidence) {
    const { stories, attempts } = ownSchedule(evidence.stories)
    if (stories.length === 0) return caseNotPlayed('a 429 that names no wait')
    if (attempts.length === 0) return inconclusive('no-own-waits', {})
    const jitter = jitterOf(spreadsOf(attempts, usualNoise(evidence, stories)))
    if (jitter.kind === 'too-few-plays') {
      const plays = Math.max(...attempts.map(({ waitsMs }) => waitsMs.length))
      return tooFewPlays(plays)
    }
    const { attempt, medianMs, spreadMs, plays } = jitter.shown
    const facts = { attempt, waitMs: Math.round(medianMs), spreadMs: Math.round(spreadMs), plays }
    if (jitter.kind === 'yes') return pass('jittered', facts)
    if (jitter.kind === 'unclear') {
      const lateMs = Math.round(usualNoise(evidence, stories))
      return inconclusive('machine-too-busy', { ...facts, lateMs })
    }
    return fail('no-jitter', facts, ...stories[0].arrivals.slice(0, attempt + 1))
  },
  sentences: {
    'no-jitter': (f) =>
      `its own waits have no jitter: attempt ${f.attempt} waited ${durationOf(f.waitMs)}, within ${durationOf(f.spreadMs)} over ${f.plays} plays`,
    jittered: (f) =>
      `attempt ${f.attempt} waited ${durationOf(f.waitMs)}, spread over ${durationOf(f.spreadMs)} in ${f.plays} plays`,
    'machine-too-busy': (f) =>
      `the machine was too busy to tell jitter: attempt ${f.attempt} waited ${durationOf(f.waitMs)}, spread over ${durationOf(f.spreadMs)}, and a client without jitter was late by ${durationOf(f.lateMs)} itself`,
    'no-own-waits': () => 'it never tries again where no wait is named',
  },
  advice: {
    'no-jitter': () => 'Multiply each wait of your own by a random factor, such as one between 1 and 1.5.',
    'machine-too-busy': () => 'Audit it again while the machine is quiet.',
  },
})
