import { fail, inconclusive, type SentencesOf } from '../../checks/framework/finding.js'
import type { CheckResult } from '../../run/judge.js'
import { waitsKept } from '../waits/early-arrivals.js'
import { hammeringIn } from '../waits/hammering.js'
import { dateWasNamed } from '../waits/seconds-and-dates.js'
import { type ClientEvidence, inWords, type Refusal, type Story, shortestPauseMs, triesAgain } from '../waits/story.js'
import { atOnceMs, comesAtOnce, lonelyCases, ownSchedule, usualNoise, waitsOverlap } from '../waits/waits.js'
import { type ClientCheck, giveUp } from './client-check.js'
import { obsoleteDates } from './dates.js'
import { amissAdvice, amissReasons, amissSentences, type GradeReason, open, stands } from './grade.js'
import { durationOf, type MendsOf } from './in-words.js'
import { quotaAdvice, quotaReasons, quotaSentences } from './quota-reasons.js'

/** A client that is silent for this long without being told to has ended, even if its process has not. */
const endedAfterMs = 10_000

/** Whether a play was watched until its client had ended, so that it would have done no more. */
const hasEnded = ({ arrivals, refusals, play }: Story, shortestMs: number): boolean => {
  if (play.end !== 'watch') return play.end === 'exit'
  const lastAt = Math.max(0, ...arrivals.map(({ at, answeredAt }) => answeredAt ?? at))
  const dueAt = Math.max(lastAt, ...refusals.map(({ named }) => ('untilMs' in named ? named.untilMs : 0)))
  return play.endedAt - dueAt >= endedAfterMs && play.endedAt - lastAt > shortestMs
}

const longestRun = ({ refusals, arrivals, workers }: Story, isAtOnce: (from: number, to: number) => boolean) => {
  let longest = 0
  let run = 0
  for (const { named, answeredAt, arrival } of refusals) {
    const next = arrivals[arrivals.indexOf(arrival) + workers]
    run = named.kind === 'zero' && next !== undefined && isAtOnce(answeredAt, next.at) ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/** How often in a row a client retried at once on `Retry-After: 0`, for certain and at most. */
const zeroRuns = ({ stories, noise }: ClientEvidence) => {
  const longest = (isAtOnce: (from: number, to: number) => boolean): number =>
    Math.max(0, ...stories.map((story) => longestRun(story, isAtOnce)))
  return {
    certain: waitsOverlap(stories) ? 0 : longest((from, to) => to - from < atOnceMs),
    most: longest((from, to) => to - from < atOnceMs + noise.mostMs(from, to)),
  }
}

/** Retrying at once on `Retry-After: 0` more often than this in a row rules out a B. */
const mostOnZero = 10

/** A client that was cut off elsewhere might have retried there. */
const onlySeconds = ({ stories }: ClientEvidence) => {
  if (!dateWasNamed(stories) || ownSchedule(stories).stories.length === 0) return []
  const playsOf = (kind: string) => stories.filter(({ refusals: [first] }) => first?.named.kind === kind)
  const others = [...playsOf('date'), ...playsOf('none')]
  if (!playsOf('seconds').some(triesAgain) || others.some(triesAgain)) return []
  const shortestMs = shortestPauseMs(stories)
  return others.every((story) => hasEnded(story, shortestMs))
    ? [stands('D', fail('only-seconds', {}))]
    : [open('D', inconclusive('only-seconds-or-cut-off', {}))]
}

/** The cases in which a single attempt comes at once, which is harmless; uncertain if machine or workers explain it. */
const immediateAttempts = (evidence: ClientEvidence) => {
  const { stories } = evidence
  const hammered = new Set(hammeringIn(stories, evidence).map(({ lonely }) => lonely.case))
  return lonelyCases(stories).flatMap((lonely) => {
    const lateMs = usualNoise(evidence, lonely.stories)
    const shortest = lonely.attempts.toSorted((a, b) => a.medianMs - b.medianMs)[0]
    if (!shortest || hammered.has(lonely.case)) return []
    const atOnce = comesAtOnce(shortest, lateMs)
    if (atOnce === 'no') return []
    return [{ lonely, waitMs: shortest.medianMs, certain: atOnce === 'yes' && !waitsOverlap(stories) }]
  })
}

const immediate = (evidence: ClientEvidence) =>
  immediateAttempts(evidence).map(({ lonely, waitMs, certain }) => {
    const facts = { case: lonely.case, named: inWords(lonely.named), waitMs }
    return certain
      ? stands('C', fail('immediate-attempt', facts))
      : open('C', inconclusive('immediate-attempt-or-late', facts))
  })

const zero = (evidence: ClientEvidence) => {
  const { certain, most } = zeroRuns(evidence)
  if (certain > mostOnZero) return [stands('C', fail('zero-taken-as-now', { attempts: certain }))]
  return most > mostOnZero ? [open('C', inconclusive('zero-taken-as-now-or-late', { attempts: most }))] : []
}

const isHuge = ({ named }: Refusal): boolean => named.kind === 'huge'

/** It gives up instead of retrying during a wait of more than a day. */
const givesUp = ({ stories, noise }: ClientEvidence) => {
  const huge = stories.filter(({ refusals: [first] }) => first && isHuge(first))
  if (huge.length === 0) return [stands('B', inconclusive('huge-not-shown', {}))]
  const back = huge.flatMap((story) =>
    waitsKept(story, isHuge, noise).early.map((each) => ({ ...each, case: story.play.case })),
  )
  const first = back.find(({ certain }) => certain) ?? back[0]
  if (!first) return []
  const facts = { case: first.case, waitedMs: first.waitedMs }
  const witnesses = [first.refusal.arrival, first.arrival]
  return first.certain
    ? [stands('B', fail('comes-back-on-huge', facts, ...witnesses))]
    : [open('B', inconclusive('comes-back-on-huge-or-under-way', facts, ...witnesses))]
}

/** The two obsolete forms of a date, which no server may send, cost at most the A. */
const obsolete = (results: readonly CheckResult<ClientCheck>[]): readonly GradeReason[] =>
  results.flatMap(({ check, finding }): GradeReason[] => {
    if (check.id !== obsoleteDates.id) return []
    const { code } = finding
    if (code === 'check-crashed' || code === 'obsolete-dates-not-told') return [{ ...open('B', finding), of: check }]
    const missed = code === 'obsolete-date-missed' || code === 'obsolete-date-given-up'
    return missed ? [{ ...stands('B', { ...finding, witnesses: [] }), of: check }] : []
  })

const seenIn = (evidence: ClientEvidence) => [
  ...onlySeconds(evidence),
  ...immediate(evidence),
  ...zero(evidence),
  ...givesUp(evidence),
]

type Seen = SentencesOf<ReturnType<typeof seenIn>[number]['finding']>

const sentences: Seen = {
  'only-seconds': () => 'it tries again only if a wait is named in seconds',
  'only-seconds-or-cut-off': () =>
    'it was seen to try again only if a wait is named in seconds, but in other cases its time was up first',
  'immediate-attempt': (f) => `one attempt comes at once, after ${durationOf(f.waitMs)}, with ${f.named} (${f.case})`,
  'immediate-attempt-or-late': (f) =>
    `with ${f.named} one attempt came after ${durationOf(f.waitMs)}: it may have come at once, from another worker, or the machine was that late (${f.case})`,
  'zero-taken-as-now': (f) => `on Retry-After: 0 it came at once ${f.attempts} times in a row`,
  'zero-taken-as-now-or-late': (f) =>
    `on Retry-After: 0 it came ${f.attempts} times in a row; the gaps may not be waits, but stalls of the machine or other workers`,
  'comes-back-on-huge': (f) =>
    `it came back after ${durationOf(f.waitedMs)} while a wait of over a day was named (${f.case})`,
  'comes-back-on-huge-or-under-way': (f) =>
    `a request came ${durationOf(f.waitedMs)} after a wait of over a day was named, while the machine stalled, so it may have been under way already (${f.case})`,
  'huge-not-shown': () => 'the audit did not play a wait of more than a day',
}

const waitFirst = 'Wait before the first retry too, and where Retry-After is 0, past or malformed.'
const waitOnZero = 'Wait a little even on Retry-After: 0.'

const advice: MendsOf<Seen> = {
  'only-seconds': () => 'Try again on a date and on a 429 without Retry-After too.',
  'only-seconds-or-cut-off': () => 'Watch it longer with --watch, or let the command end when it gives up.',
  'immediate-attempt': () => waitFirst,
  'immediate-attempt-or-late': () => ({ ifItStands: waitFirst }),
  'zero-taken-as-now': () => waitOnZero,
  'zero-taken-as-now-or-late': () => ({ ifItStands: waitOnZero }),
  'comes-back-on-huge': () => giveUp,
  'comes-back-on-huge-or-under-way': () => ({ ifItStands: giveUp }),
}

/** What the rubric asks for beyond the clauses. */
export const furtherReasons = (evidence: ClientEvidence, results: readonly CheckResult<ClientCheck>[]) => [
  ...seenIn(evidence).map((each) => ({ ...each, of: { sentences, advice } })),
  ...quotaReasons(evidence).map((each) => ({ ...each, of: { sentences: quotaSentences, advice: quotaAdvice } })),
  ...obsolete(results),
  ...amissReasons(evidence).map((each) => ({ ...each, of: { sentences: amissSentences, advice: amissAdvice } })),
]
