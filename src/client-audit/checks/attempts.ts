import { fail, inconclusive, pass } from '../../checks/framework/finding.js'
import { counted } from '../../kit/words.js'
import { hammeringIn } from '../waits/hammering.js'
import { pausesIn, type Story } from '../waits/story.js'
import { lonelyCases, ownSchedule } from '../waits/waits.js'
import {
  caseNotPlayed,
  defineBackoffCheck,
  defineClientCheck,
  hammersFinding,
  neverBearer,
  noBearer,
} from './client-check.js'
import { allOf, durationOf } from './in-words.js'

/** More refused attempts than this on one case have no bound (CLIENT-3). */
export const mostAttempts = 100
/** A wait of a minute counts as an end. */
const longEnoughMs = 60_000
/** A client that is silent for this many times its longest wait has ended, even if its process has not. */
const endedAfter = 5
const leastSilenceMs = 10_000

/** The longest wait of a client that was still trying when its time was up, with waits below a minute. */
const openEnd = ({ arrivals, play }: Story): number | undefined => {
  const last = arrivals[arrivals.length - 1]
  if (play.end !== 'watch' || last === undefined) return undefined
  const longest = Math.max(0, ...pausesIn(arrivals))
  const atEnd = play.endedAt - (last.answeredAt ?? last.at)
  const hasEnded = Math.max(longest, atEnd) >= longEnoughMs || atEnd >= Math.max(leastSilenceMs, endedAfter * longest)
  return hasEnded ? undefined : longest
}

/** Whether a client that was asked for one request ended by itself while it was still refused. */
const gaveUpUnserved = ({ play, arrivals, refusals }: Story): boolean =>
  play.end === 'exit' && play.asked.requests === 1 && refusals.length === arrivals.length

/** Never more than a hundred attempts in a case, and where no usable wait is named, it ends or waits for a minute. */
export const attemptsBounded = defineBackoffCheck({
  id: 'client.attempts-bounded',
  promise: 'its attempts end, or its waits grow to a minute',
  clauses: ['CLIENT-3'],
  judge({ stories }) {
    const unbounded = stories.find(({ play }) => play.end === 'attempts')
    if (unbounded) {
      const { play, arrivals } = unbounded
      return fail('attempts-unbounded', { case: play.case, attempts: arrivals.length }, ...arrivals.slice(-3))
    }
    const tried = ownSchedule(stories).stories.filter(({ play }) => play.end !== 'interrupted')
    if (tried.length === 0) return caseNotPlayed('a 429 that names no wait')
    const mostBeforeItEnded = Math.max(0, ...stories.filter(gaveUpUnserved).map(({ arrivals }) => arrivals.length))
    for (const story of tried) {
      const { play, arrivals } = story
      const longestWaitMs = openEnd(story)
      if (longestWaitMs === undefined || arrivals.length <= mostBeforeItEnded) continue
      const facts = { case: play.case, watchedMs: play.endedAt - play.startedAt, longestWaitMs }
      return inconclusive('bound-not-seen', facts, ...arrivals.slice(-3))
    }
    const attempts = Math.max(...tried.map(({ arrivals }) => arrivals.length))
    return pass('bounded', { attempts, ends: attempts <= mostBeforeItEnded })
  },
  sentences: {
    'attempts-unbounded': (f) => `${f.attempts} attempts without an end (${f.case})`,
    'bound-not-seen': (f) =>
      `still trying when the time was up after ${durationOf(f.watchedMs)}, its longest wait ${durationOf(f.longestWaitMs)} (${f.case})`,
    bounded: (f) =>
      f.ends ? `it gave up after at most ${counted(f.attempts, 'attempt')}` : 'it ended, or waited for a minute',
  },
  advice: {
    'attempts-unbounded': () => `Give up after at most ${mostAttempts} attempts.`,
    'bound-not-seen': () => `Give up after at most ${mostAttempts} attempts, or watch longer with --watch.`,
  },
})

/** Every request carries the key as a Bearer. If none shows it in any form, there is nothing to judge. */
export const bearerKey = defineClientCheck({
  id: 'client.bearer-key',
  promise: 'every request carries the key as Authorization: Bearer',
  clauses: ['CLIENT-5'],
  judge({ audit }) {
    const { arrivals } = audit
    if (arrivals.length === 0) return inconclusive('never-arrived', {})
    const [first, ...others] = arrivals.filter(({ credential }) => credential !== 'bearer')
    if (!first) return pass('held', { examined: arrivals.length })
    const hasKey = others.length + 1 < arrivals.length || arrivals.some(({ keyElsewhere }) => keyElsewhere)
    if (!hasKey) return { ...neverBearer(audit, first), verdict: 'inconclusive' as const }
    return noBearer(audit, [first, ...others])
  },
  sentences: { held: ({ examined }) => `${allOf(examined, 'request')} carried the key as a Bearer token` },
})

export const unusableWithoutHammering = defineBackoffCheck({
  id: 'client.unusable-without-hammering',
  promise: 'a Retry-After that is malformed, past, negative or huge does not make it hammer',
  clauses: ['CLIENT-4'],
  judge(evidence) {
    const cases = lonelyCases(evidence.stories).filter(
      ({ named }) => named.kind === 'unusable' || named.kind === 'huge',
    )
    if (cases.length === 0) return caseNotPlayed('an unusable Retry-After')
    const played = cases.flatMap(({ stories }) => stories)
    const [hammered] = hammeringIn(played, evidence)
    return hammered ? hammersFinding(hammered) : pass('held', { examined: cases.length })
  },
  sentences: {
    held: ({ examined }) => `it hammered in none of ${counted(examined, 'case')} with an unusable or huge Retry-After`,
  },
})
