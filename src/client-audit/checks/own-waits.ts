import { fail, inconclusive, notTested, pass } from '../../checks/framework/finding.js'
import { firstFew } from '../../kit/words.js'
import { type Growth, growthOf, leastMeanRatio } from '../waits/growth.js'
import { hammeringIn } from '../waits/hammering.js'
import { fewestPlays, type Jitter, jitterOf, leastSpread, leastSpreadMs, spreadsOf } from '../waits/schedule.js'
import type { ClientEvidence, Noise, Story } from '../waits/story.js'
import { comesAtOnce, mostNoise, ownSchedule, stalls, underWayMs, usualNoise, waitsOverlap } from '../waits/waits.js'
import { caseNotPlayed, defineBackoffCheck, hammersFinding, ownWaits, tooFewPlays } from './client-check.js'
import { durationOf } from './in-words.js'

/** Whether the machine may have spoiled a guess, because requests of one moment were barely distinct from the rest. */
const guessIsUpset = (evidence: ClientEvidence, { stories, attempts }: ReturnType<typeof ownSchedule>): boolean => {
  const lateMs = mostNoise(evidence, stories)
  const shortestMs = Math.min(...attempts.map(({ medianMs }) => medianMs))
  return waitsOverlap(evidence.stories) && lateMs >= underWayMs && stalls * lateMs >= shortestMs
}

const durationsOf = (all: readonly number[]): string => firstFew(all.map(durationOf))

const round = (value: number): number => Math.round(value * 100) / 100

const concluded = (growth: Exclude<Growth, { kind: 'too-few' }>, waitsMs: readonly number[]) => {
  const ratios = { waitsMs, meanRatio: round(growth.meanRatio), lastRatio: round(growth.lastRatio) }
  if (growth.kind === 'grows') return pass('grows', { waitsMs, factor: round(growth.meanRatio) })
  return growth.kind === 'unclear' ? inconclusive('growth-unclear', ratios) : fail('waits-do-not-grow', ratios)
}

/** If refusals name no wait, its own waits grow exponentially. Medians over at least eight plays decide. */
export const waitsGrow = defineBackoffCheck({
  id: 'client.waits-grow',
  promise: 'if the refusal names no wait, its waits grow exponentially up to a cap',
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
      `Multiply the wait by two after each refusal, up to a cap: on average, each wait must be at least ${leastMeanRatio} times as long as the one before.`,
    'growth-unclear': () =>
      'Audit it with more retries, on a quiet machine: with so few waits, or waits that differ so much from play to play, growth is uncertain.',
    'too-few-waits': () => 'Audit it with at least three retries, so that its schedule shows.',
  },
})

/** Whether it is a guess which worker waited: a guess fails nobody, and passes nobody if the machine may have spoiled it. */
const isGuessed = (kind: Jitter['kind'], evidence: ClientEvidence, own: ReturnType<typeof ownSchedule>): boolean =>
  kind === 'no' ? waitsOverlap(evidence.stories) : kind === 'yes' && guessIsUpset(evidence, own)

const randomFactor = `Multiply each wait of your own by a random factor, such as one between 1 and 1.5: from play to play it must spread over more than ${100 * leastSpread} % and ${leastSpreadMs} ms. Seed the random numbers: without a seed, some languages give the same ones in each process.`

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
    const mostPlays = Math.max(...attempts.map(({ waitsMs }) => waitsMs.length))
    if (attempts.every((each) => comesAtOnce(each, usualMs) === 'yes')) {
      // Zero waits are the same in every play, unless they are guessed or too few.
      return mostPlays >= fewestPlays && !waitsOverlap(evidence.stories)
        ? fail('always-at-once', {}, ...stories[0].arrivals.slice(0, 3))
        : inconclusive('always-at-once', {})
    }
    const jitter = jitterOf(spreadsOf(attempts, usualMs), mostNoise(evidence, stories))
    if (jitter.kind === 'too-few-plays') return tooFewPlays(mostPlays)
    const { attempt, medianMs, spreadMs, plays } = jitter.shown
    const facts = { attempt, waitMs: Math.round(medianMs), spreadMs: Math.round(spreadMs), plays }
    if (isGuessed(jitter.kind, evidence, own)) return inconclusive('jitter-guessed', facts)
    if (jitter.kind === 'yes') return pass('jittered', facts)
    const busy = { ...facts, case: stories[0].play.case, lateMs: Math.round(usualMs) }
    if (jitter.kind === 'unclear') return inconclusive('machine-too-busy', busy)
    return fail('no-jitter', facts, ...stories[0].arrivals.slice(0, attempt + 1))
  },
  sentences: {
    'no-jitter': (f) =>
      `its own waits have no jitter: attempt ${f.attempt} waited ${durationOf(f.waitMs)}, within ${durationOf(f.spreadMs)} over ${f.plays} plays`,
    jittered: (f) =>
      `attempt ${f.attempt} waited ${durationOf(f.waitMs)}, spread over ${durationOf(f.spreadMs)} in ${f.plays} plays`,
    'machine-too-busy': (f) =>
      `the machine was too busy to show jitter: attempt ${f.attempt} waited ${durationOf(f.waitMs)}, spread over ${durationOf(f.spreadMs)}, and a client without jitter was late by ${durationOf(f.lateMs)} itself`,
    'jitter-guessed': (f) =>
      `attempt ${f.attempt} waited ${durationOf(f.waitMs)}, spread over ${durationOf(f.spreadMs)}, but it sent several requests at once unasked, so it is unclear whose waits these are`,
    'always-at-once': () => 'it has no wait of its own: if none is named, each attempt comes at once',
    'no-own-waits': () => 'it was not seen to try again if no wait is named',
  },
  advice: {
    'no-jitter': () => randomFactor,
    'machine-too-busy': () => ({ ifItStands: randomFactor }),
    'jitter-guessed': () => 'Audit it with one request at a time, on a quiet machine.',
    'always-at-once': () => ownWaits,
  },
})

const fewestWorkers = 10
/** This share of them in one moment is a stampede. */
const crowdShare = 0.75
/** A delay of the client may bunch spread workers, or spread simultaneous ones, by up to this many times its length. */
const timesNoise = 3
/** An answer that took this long was held: workers that came back together had all arrived before it was sent. */
const leastHeldMs = 90
/** A shorter delay can't have bunched workers. */
const harmlessMs = 30

/** Whether workers came back at once; `unclear` if a delay may have made the difference. */
const judged = (withinMs: number, lateMs: number): 'yes' | 'no' | 'unclear' => {
  if (withinMs < underWayMs) return lateMs <= harmlessMs ? 'yes' : 'unclear'
  return withinMs > underWayMs + timesNoise * lateMs ? 'no' : 'unclear'
}

/** When the first to return was served, if its answer was held: later ones did not come with it. */
const servedAt = ({ arrivals }: Story, refusedAt: number): number => {
  const first = arrivals.find(({ at, status }) => at > refusedAt && status === 200)
  const answeredAt = first?.answeredAt ?? Number.POSITIVE_INFINITY
  return first && answeredAt - first.at >= leastHeldMs ? answeredAt : Number.POSITIVE_INFINITY
}

/** By play: how close together three quarters of at least ten refused workers came back, and what may have delayed them. */
const returnsOf = (stories: readonly Story[], noise: Noise) =>
  stories.flatMap((story) => {
    const [first] = story.refusals
    if (!first || (first.named.kind !== 'seconds' && first.named.kind !== 'date')) return []
    const together = story.refusals.filter(({ answeredAt }) => answeredAt - first.answeredAt <= underWayMs)
    const lastAt = Math.max(...together.map(({ answeredAt }) => answeredAt))
    const back = story.arrivals
      .filter(({ at }) => at > lastAt && at <= servedAt(story, lastAt))
      .slice(0, together.length)
    const crowd = Math.min(story.workers, together.length, back.length)
    if (crowd < fewestWorkers) return []
    const share = Math.ceil(back.length * crowdShare)
    const spans = back.slice(share - 1).map(({ at }, index) => at - back[index].at)
    const withinMs = Math.min(...spans)
    const lateMs = noise.mostMs(back[0].at, back[back.length - 1].at)
    return [{ story, workers: back.length, withinMs, lateMs, atOnce: judged(withinMs, lateMs) }]
  })

/** A multiple of a crowd's moment: with a spread this wide, even the busiest three quarters are well apart. */
const wideEnough = 5

const spreadOut = `Let each worker add a random part of its own to the wait, of 0 to ${wideEnough * underWayMs} ms or more: if three quarters of them come within ${underWayMs} ms, that counts as one moment.`

export const workersSpread = defineBackoffCheck({
  id: 'client.workers-spread',
  promise: 'workers that were refused together do not all come back at the same moment',
  clauses: ['CLIENT-3'],
  judge(evidence) {
    const returns = returnsOf(evidence.stories, evidence.noise)
    if (returns.length === 0) return notTested('no-parallel-workers', {})
    const crowd = returns.find(({ atOnce }) => atOnce === 'yes')
    if (crowd) {
      const { story, workers, withinMs } = crowd
      const facts = { case: story.play.case, workers, withinMs: Math.round(withinMs) }
      return fail('workers-come-back-at-once', facts, ...story.arrivals.slice(workers, workers + 3))
    }
    const spread = returns.find(({ atOnce }) => atOnce === 'no')
    const { story, workers, withinMs, lateMs } = spread ?? returns[0]
    const facts = { workers, withinMs: Math.round(withinMs) }
    return spread
      ? pass('workers-spread', facts)
      : inconclusive('workers-spread-or-held-up', { ...facts, case: story.play.case, lateMs })
  },
  sentences: {
    'workers-come-back-at-once': (f) =>
      `most of ${f.workers} workers that were refused together came back within ${durationOf(f.withinMs)} (${f.case})`,
    'workers-spread': (f) =>
      `${f.workers} workers that were refused together came back spread out: most of them over ${durationOf(f.withinMs)}`,
    'workers-spread-or-held-up': (f) =>
      `most of ${f.workers} workers that were refused together came back within ${durationOf(f.withinMs)}, while the machine was late by ${durationOf(f.lateMs)}, so it is unclear whether they spread (${f.case})`,
    'no-parallel-workers': () => 'it never had ten requests refused at once',
  },
  advice: {
    'workers-come-back-at-once': () => spreadOut,
    'workers-spread-or-held-up': () => ({ ifItStands: spreadOut }),
  },
})
