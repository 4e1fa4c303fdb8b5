import { fail, inconclusive, pass } from '../../checks/framework/finding.js'
import { guessIsUpset, waitsOverlap } from '../waits/at-once.js'
import { type Growth, leastMeanRatio } from '../waits/growth.js'
import { growthOf } from '../waits/growth-of-waits.js'
import { hammeringIn } from '../waits/hammering.js'
import { fewestPlays } from '../waits/jitter.js'
import { ownSchedule, usualNoise } from '../waits/waits.js'
import { defineBackoffCheck } from './client-check.js'
import { durationsOf } from './in-words.js'
import { caseNotPlayed, hammersFinding, tooFewPlays } from './shared-findings.js'

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
    const { stories, attempts } = ownSchedule(evidence.stories)
    if (stories.length === 0) return caseNotPlayed('a 429 that names no wait')
    const [hammered] = hammeringIn(stories, evidence)
    if (hammered) return hammersFinding(hammered)
    const tried = attempts.filter(({ waitsMs }) => waitsMs.length >= fewestPlays)
    const plays = Math.max(0, ...attempts.map(({ waitsMs }) => waitsMs.length))
    if (attempts.length > 0 && tried.length === 0) return tooFewPlays(plays)
    const growth = growthOf(tried, usualNoise(evidence, stories))
    if (growth.kind === 'too-few') return inconclusive('too-few-waits', { waits: growth.waits, plays })
    const guessed =
      growth.kind === 'stays'
        ? waitsOverlap(evidence.stories)
        : growth.kind === 'grows' && guessIsUpset(evidence, stories)
    const finding = concluded(
      guessed ? { ...growth, kind: 'unclear' } : growth,
      tried.slice(growth.from).map(({ medianMs }) => Math.round(medianMs)),
    )
    return { ...finding, witnesses: stories[0].arrivals.map(({ id }) => ({ id })) }
  },
  sentences: {
    'waits-do-not-grow': (f) =>
      `its waits do not grow: ${durationsOf(f.waitsMs)} (by ${f.meanRatio.toFixed(2)} on average, ${f.lastRatio.toFixed(2)} at last)`,
    'growth-unclear': (f) => `whether its waits grow can't be told: ${durationsOf(f.waitsMs)}`,
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
