import { fail, inconclusive, pass } from '../../checks/framework/finding.js'
import { comesAtOnce, guessIsUpset, waitsOverlap } from '../waits/at-once.js'
import type { ClientEvidence } from '../waits/client-evidence.js'
import { type Jitter, jitterOf, leastSpread, leastSpreadMs, spreadsOf } from '../waits/jitter.js'
import type { Story } from '../waits/story.js'
import { mostNoise, ownSchedule, usualNoise } from '../waits/waits.js'
import { defineBackoffCheck } from './client-check.js'
import { durationOf, ifItStands } from './in-words.js'
import { caseNotPlayed, ownWaits, tooFewPlays } from './shared-findings.js'

/** Whose waits they were may be a guess: nobody is failed by one, nor passed by one that the machine has upset. */
const isGuessed = (kind: Jitter['kind'], evidence: ClientEvidence, own: readonly Story[]): boolean =>
  kind === 'no' ? waitsOverlap(evidence.stories) : kind === 'yes' && guessIsUpset(evidence, own)

const randomFactor = `Multiply each wait of your own by a random factor, such as one between 1 and 1.5: from play to play it has to spread over more than ${100 * leastSpread} % and ${leastSpreadMs} ms.`

/** The waits that it chooses itself differ from play to play. */
export const ownWaitsJittered = defineBackoffCheck({
  id: 'client.own-waits-jittered',
  promise: 'the waits that it chooses itself are jittered',
  clauses: ['CLIENT-3'],
  judge(evidence) {
    const { stories, attempts } = ownSchedule(evidence.stories)
    if (stories.length === 0) return caseNotPlayed('a 429 that names no wait')
    if (attempts.length === 0) return inconclusive('no-own-waits', {})
    const usualMs = usualNoise(evidence, stories)
    if (attempts.every((each) => comesAtOnce(each, usualMs) === 'yes')) return inconclusive('always-at-once', {})
    const jitter = jitterOf(spreadsOf(attempts, usualMs), mostNoise(evidence, stories))
    if (jitter.kind === 'too-few-plays') {
      const plays = Math.max(...attempts.map(({ waitsMs }) => waitsMs.length))
      return tooFewPlays(plays)
    }
    const { attempt, medianMs, spreadMs, plays } = jitter.shown
    const facts = { attempt, waitMs: Math.round(medianMs), spreadMs: Math.round(spreadMs), plays }
    if (isGuessed(jitter.kind, evidence, stories)) return inconclusive('jitter-guessed', facts)
    if (jitter.kind === 'yes') return pass('jittered', facts)
    if (jitter.kind === 'unclear') {
      return inconclusive('machine-too-busy', {
        ...facts,
        case: stories[0].play.case,
        lateMs: Math.round(usualMs),
      })
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
    'jitter-guessed': (f) =>
      `attempt ${f.attempt} waited ${durationOf(f.waitMs)}, spread over ${durationOf(f.spreadMs)}, but it sent several requests at once unasked: whose waits these are is a guess`,
    'always-at-once': () => 'it has no wait of its own: where none is named, each attempt comes at once',
    'no-own-waits': () => 'it never tries again where no wait is named',
  },
  advice: {
    'no-jitter': () => randomFactor,
    'machine-too-busy': () => ifItStands(randomFactor),
    'jitter-guessed': () => 'Audit it with one request at a time, and while the machine is quiet.',
    'always-at-once': () => ownWaits,
  },
})
