import { fail, inconclusive, pass } from '../../checks/framework/finding.js'
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
import { durationOf } from './in-words.js'

/** More refused attempts than this on one case have no bound (CLIENT-3). */
export const mostAttempts = 100
/** A wait of a minute counts as an end. */
const longEnoughMs = 60_000
/** A client that is silent for this many times its longest wait has ended, even if its process has not. */
const endedAfter = 5
const leastSilenceMs = 10_000

/** Whether a client's attempts end. */
type Bound =
  | { readonly kind: 'bounded'; readonly attempts: number }
  | { readonly kind: 'unbounded'; readonly story: Story }
  /** It was still trying when its time was up, with waits below a minute. */
  | { readonly kind: 'not-seen'; readonly story: Story; readonly longestWaitMs: number }
  | { readonly kind: 'nothing-refused' }

/** All waits of a play, and its silence at the end if the client had not ended by itself. */
const silencesOf = ({ arrivals, play }: Story): { readonly waits: readonly number[]; readonly atEnd: number } => {
  const last = arrivals[arrivals.length - 1]
  return {
    waits: pausesIn(arrivals),
    atEnd: play.end === 'watch' && last ? play.endedAt - (last.answeredAt ?? last.at) : 0,
  }
}

const openEnd = (story: Story): number | undefined => {
  const { waits, atEnd } = silencesOf(story)
  const longest = Math.max(0, ...waits)
  if (story.play.end !== 'watch' || Math.max(longest, atEnd) >= longEnoughMs) return undefined
  return atEnd >= Math.max(leastSilenceMs, endedAfter * longest) ? undefined : longest
}

/**
 * Whether the attempts are bounded (CLIENT-3): never more than a hundred in a case, and if no refusal names a usable wait,
 * the client ends or waits for a minute.
 */
const boundOf = (stories: readonly Story[], alone: readonly Story[]): Bound => {
  const unbounded = stories.find(({ play }) => play.end === 'attempts')
  if (unbounded) return { kind: 'unbounded', story: unbounded }
  const tried = alone.filter(({ play, refusals }) => refusals.length > 0 && play.end !== 'interrupted')
  if (tried.length === 0) return { kind: 'nothing-refused' }
  for (const story of tried) {
    const longestWaitMs = openEnd(story)
    if (longestWaitMs !== undefined) return { kind: 'not-seen', story, longestWaitMs }
  }
  return { kind: 'bounded', attempts: Math.max(...tried.map(({ arrivals }) => arrivals.length)) }
}

/** It gives up, or its waits become a minute long. */
export const attemptsBounded = defineBackoffCheck({
  id: 'client.attempts-bounded',
  promise: 'its attempts end, or its waits grow to a minute',
  clauses: ['CLIENT-3'],
  judge(evidence) {
    const bound = boundOf(evidence.stories, ownSchedule(evidence.stories).stories)
    if (bound.kind === 'nothing-refused') return caseNotPlayed('a 429 that names no wait')
    if (bound.kind === 'bounded') return pass('bounded', { attempts: bound.attempts })
    const { play, arrivals } = bound.story
    if (bound.kind === 'unbounded') {
      return fail('attempts-unbounded', { case: play.case, attempts: arrivals.length }, ...arrivals.slice(-3))
    }
    const facts = { case: play.case, watchedMs: play.endedAt - play.startedAt, longestWaitMs: bound.longestWaitMs }
    return inconclusive('bound-not-seen', facts, ...arrivals.slice(-3))
  },
  sentences: {
    'attempts-unbounded': (f) => `${f.attempts} attempts without an end (${f.case})`,
    'bound-not-seen': (f) =>
      `still trying when the time was up after ${durationOf(f.watchedMs)}, its longest wait ${durationOf(f.longestWaitMs)} (${f.case})`,
    bounded: ({ attempts }) => `it gives up after at most ${attempts} attempts, or waits for a minute`,
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
})

/** A `Retry-After` that is malformed, past, negative or huge does not make it hammer. */
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
})
