import { fail, inconclusive, pass } from '../../checks/framework/finding.js'
import { firstFew } from '../../kit/words.js'
import { type Growth, growthOf, leastMeanRatio } from '../waits/growth.js'
import { hammeringIn } from '../waits/hammering.js'
import { fewestPlays, type Jitter, jitterOf, leastSpread, leastSpreadMs, spreadsOf } from '../waits/schedule.js'
import type { ClientEvidence, Noise, Story } from '../waits/story.js'
import { comesAtOnce, mostNoise, ownSchedule, stalls, underWayMs, usualNoise, waitsOverlap } from '../waits/waits.js'
import { caseNotPlayed, defineBackoffCheck, hammersFinding, ownWaits, tooFewPlays } from './client-check.js'
import { durationOf } from './in-words.js'

/**
 * A guess that the machine has upset: what shared a moment was told from the rest by no more than it was late, and that is
 * not little beside the shortest wait.
 */
const guessIsUpset = (
  { stories, noise }: { readonly stories: readonly Story[]; readonly noise: Noise },
  { stories: own, attempts }: Pick<ReturnType<typeof ownSchedule>, 'stories' | 'attempts'>,
): boolean => {
  const lateMs = mostNoise({ noise }, own)
  const shortestMs = Math.min(...attempts.map(({ medianMs }) => medianMs))
  return waitsOverlap(stories) && lateMs >= underWayMs && stalls * lateMs >= shortestMs
}

/** Waits in their order: the first six, and how many more. */
const durationsOf = (all: readonly number[]): string => firstFew(all.map(durationOf))

const round = (value: number): number => Math.round(value * 100) / 100

const concluded = (growth: Exclude<Growth, { kind: 'too-few' }>, waitsMs: readonly number[]) => {
  const ratios = { waitsMs, meanRatio: round(growth.meanRatio), lastRatio: round(growth.lastRatio) }
  if (growth.kind === 'grows') return pass('grows', { waitsMs, factor: round(growth.meanRatio) })
  return growth.kind === 'unclear' ? inconclusive('growth-unclear', ratios) : fail('waits-do-not-grow', ratios)
}

/** While it is refused and told no wait, its own waits grow exponentially. Medians over at least eight plays decide. */
export const waitsGrow = defineBackoffCheck({
  id: 'client.waits-grow',
  promise: 'where no wait is named, its waits grow exponentially up to a cap',
  clauses: ['CLIENT-2'],
  judge(evidence) {
    const own = ownSchedule(evidence.stories)
    const { stories, attempts } = own
    if (stories.length === 0) return caseNotPlayed('a 429 that names no wait')
    const [hammered] = hammeringIn(stories, evidence)
    if (hammered) return hammersFinding(hammered)
    const tried = attempts.filter(({ waitsMs }) => waitsMs.length >= fewestPlays)
    const plays = Math.max(0, ...attempts.map(({ waitsMs }) => waitsMs.length))
    if (attempts.length > 0 && tried.length === 0) return tooFewPlays(plays)
    const growth = growthOf(tried, usualNoise(evidence, stories))
    if (growth.kind === 'too-few') return inconclusive('too-few-waits', { waits: growth.waits, plays })
    const guessed =
      growth.kind === 'stays' ? waitsOverlap(evidence.stories) : growth.kind === 'grows' && guessIsUpset(evidence, own)
    const finding = concluded(
      guessed ? { ...growth, kind: 'unclear' } : growth,
      tried.slice(growth.from).map(({ medianMs }) => Math.round(medianMs)),
    )
    return { ...finding, witnesses: stories[0].arrivals.map(({ id }) => ({ id })) }
  },
  sentences: {
    'waits-do-not-grow': (f) =>
      `its waits do not grow: ${durationsOf(f.waitsMs)} (by ${f.meanRatio.toFixed(2)} on average, ${f.lastRatio.toFixed(2)} at last)`,
    'growth-unclear': (f) => `its waits do not show whether they grow: ${durationsOf(f.waitsMs)}`,
    'too-few-waits': (f) =>
      `it made ${f.waits} ${f.waits === 1 ? 'wait' : 'waits'} of its own; three are needed to see growth`,
    grows: (f) => `its waits grow by ${f.factor.toFixed(2)}: ${durationsOf(f.waitsMs)}`,
  },
  advice: {
    'waits-do-not-grow': () =>
      `Multiply the wait by two after each refusal, up to a cap: ${leastMeanRatio} on average is the least.`,
    'growth-unclear': () =>
      'Audit it with more retries, and while the machine is quiet: waits so few, or so far apart from play to play, show no growth for certain.',
    'too-few-waits': () => 'Audit it with at least three retries, so that its schedule shows.',
  },
})

/** Whose waits they were may be a guess: nobody is failed by one, nor passed by one that the machine has upset. */
const isGuessed = (kind: Jitter['kind'], evidence: ClientEvidence, own: ReturnType<typeof ownSchedule>): boolean =>
  kind === 'no' ? waitsOverlap(evidence.stories) : kind === 'yes' && guessIsUpset(evidence, own)

const randomFactor = `Multiply each wait of your own by a random factor, such as one between 1 and 1.5: from play to play it has to spread over more than ${100 * leastSpread} % and ${leastSpreadMs} ms.`

/** The waits that it chooses itself differ from play to play. */
export const ownWaitsJittered = defineBackoffCheck({
  id: 'client.own-waits-jittered',
  promise: 'the waits that it chooses itself have jitter',
  clauses: ['CLIENT-3'],
  judge(evidence) {
    const own = ownSchedule(evidence.stories)
    const { stories, attempts } = own
    if (stories.length === 0) return caseNotPlayed('a 429 that names no wait')
    if (attempts.length === 0) return inconclusive('no-own-waits', {})
    const usualMs = usualNoise(evidence, stories)
    if (attempts.every((each) => comesAtOnce(each, usualMs) === 'yes')) {
      const plays = Math.max(...attempts.map(({ waitsMs }) => waitsMs.length))
      // Waits of none are the same from play to play, unless they are guessed, or too few.
      const isSure = plays >= fewestPlays && !waitsOverlap(evidence.stories)
      return isSure
        ? fail('always-at-once', {}, ...stories[0].arrivals.slice(0, 3))
        : inconclusive('always-at-once', {})
    }
    const jitter = jitterOf(spreadsOf(attempts, usualMs), mostNoise(evidence, stories))
    if (jitter.kind === 'too-few-plays') {
      const plays = Math.max(...attempts.map(({ waitsMs }) => waitsMs.length))
      return tooFewPlays(plays)
    }
    const { attempt, medianMs, spreadMs, plays } = jitter.shown
    const facts = { attempt, waitMs: Math.round(medianMs), spreadMs: Math.round(spreadMs), plays }
    if (isGuessed(jitter.kind, evidence, own)) return inconclusive('jitter-guessed', facts)
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
    'machine-too-busy': () => ({ ifItStands: randomFactor }),
    'jitter-guessed': () => 'Audit it with one request at a time, on a quiet machine.',
    'always-at-once': () => ownWaits,
  },
})
