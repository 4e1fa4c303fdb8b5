import type { ClientEvidence } from '../../backoff/client-evidence.js'
import { inWords } from '../../backoff/named-waits/named-wait.js'
import { dateWasNamed } from '../../backoff/named-waits/seconds-and-dates.js'
import { immediateAttempts, zeroRun } from '../../backoff/own-waits/hammering.js'
import { ownSchedule } from '../../backoff/own-waits/waits.js'
import { type Story, triesAgain } from '../../backoff/story.js'
import type { ClientCheck } from '../../checks/client/client-check.js'
import { durationOf } from '../../checks/client/in-words.js'
import { obsoleteDates } from '../../checks/client/obsolete-dates.js'
import { fail, inconclusive } from '../../checks/law/finding.js'
import type { SentencesOf } from '../../checks/law/sentences.js'
import type { Finding } from '../../verdict/verdict.js'
import type { GradeReason } from './grade.js'
import type { CheckResult } from './judge-checks.js'

/** Coming at once on `Retry-After: 0` more often than this in a row keeps a client from B. */
const mostOnZero = 10
/** A window that holds fewer requests than this can't be kept clear of by those that are under way already. */
const fewestInWindow = 20

const stands = <F extends Finding>(atBest: GradeReason['atBest'], finding: F) => ({
  atBest,
  state: 'stands' as GradeReason['state'],
  finding,
})

const onlySeconds = (stories: readonly Story[]) => {
  const kindOf = ({ refusals: [first] }: Story) => first?.named.kind
  const again = (kind: string) => stories.some((story) => kindOf(story) === kind && triesAgain(story))
  if (!dateWasNamed(stories) || ownSchedule(stories).stories.length === 0) return []
  const only = again('seconds') && !again('date') && !again('none')
  return only ? [stands('D', fail('only-seconds', {}))] : []
}

const immediate = ({ stories, noise }: ClientEvidence) =>
  immediateAttempts(stories, noise).map(({ lonely, waitMs }) =>
    stands('C', fail('immediate-attempt', { case: lonely.case, named: inWords(lonely.named), waitMs })),
  )

const zero = (stories: readonly Story[]) => {
  const { attempts } = zeroRun(stories)
  return attempts > mostOnZero ? [stands('C', fail('zero-taken-as-now', { attempts }))] : []
}

/** What a client with a real quota of its own has to show for an A: more work than a window holds, and not one 429. */
const quotaKept = (stories: readonly Story[]) => {
  const real = stories.filter(({ play }) => play.quota !== null)
  const banned = real.find(({ arrivals }) => arrivals.some((each) => each.banned))
  if (banned) return [stands('B', fail('sets-off-ban', { case: banned.play.case }))]
  const own = real.filter(
    ({ play }) =>
      play.quota?.shared === false &&
      play.asked.requests > play.quota.requests &&
      play.quota.requests >= fewestInWindow,
  )
  const idle = own.find(({ play, arrivals }) => arrivals.length <= (play.quota?.requests ?? 0))
  if (own.length === 0 || idle) return [notExercised(idle)]
  const over = own.find(({ refusals }) => refusals.length > 0)
  if (!over) return []
  const facts = { case: over.play.case, refused: over.refusals.length, requests: over.arrivals.length }
  return [stands('B', fail('runs-into-limit', facts, ...over.refusals.map((each) => each.arrival)))]
}

/** A client that had ended sends no more; one that was cut off, as on a busy machine, might have. */
const notExercised = (idle: Story | undefined) => {
  const facts = {
    case: idle?.play.case ?? 'none',
    sent: idle?.arrivals.length ?? 0,
    asked: idle?.play.asked.requests ?? 0,
  }
  const state: GradeReason['state'] = idle && idle.play.end !== 'exit' ? 'open' : 'stands'
  return { ...stands('B', inconclusive('quota-not-exercised', facts)), state }
}

/** Rather than come back while a wait of more than a day lasts, it gives up. */
const givesUp = (stories: readonly Story[]) => {
  const huge = stories.filter(({ refusals: [first] }) => first?.named.kind === 'huge')
  if (huge.length === 0) return [stands('B', inconclusive('huge-not-shown', {}))]
  for (const { refusals, arrivals, workers, play } of huge) {
    const next = arrivals[workers]
    if (next) {
      const facts = { case: play.case, waitedMs: next.at - refusals[0].answeredAt }
      return [stands('B', fail('comes-back-on-huge', facts, refusals[0].arrival, next))]
    }
  }
  return []
}

/** The two obsolete forms of a date, which no server may send, cost the A at most. */
const obsolete = (results: readonly CheckResult<ClientCheck>[]): readonly GradeReason[] =>
  results.flatMap(({ check, finding }): GradeReason[] => {
    if (check.id !== obsoleteDates.id) return []
    const { code } = finding
    if (code === 'check-crashed') return [{ atBest: 'B', state: 'open', finding, of: check }]
    return code === 'obsolete-date-missed' ? [{ ...stands('B', { ...finding, witnesses: [] }), of: check }] : []
  })

const seenIn = (evidence: ClientEvidence) => [
  ...onlySeconds(evidence.stories),
  ...immediate(evidence),
  ...zero(evidence.stories),
  ...quotaKept(evidence.stories),
  ...givesUp(evidence.stories),
]

type Seen = SentencesOf<ReturnType<typeof seenIn>[number]['finding']>

const sentences: Seen = {
  'only-seconds': () => 'it tries again only where a wait is named in seconds',
  'immediate-attempt': (f) => `one attempt comes at once, after ${durationOf(f.waitMs)}, with ${f.named} (${f.case})`,
  'zero-taken-as-now': (f) => `on Retry-After: 0 it came at once ${f.attempts} times in a row`,
  'runs-into-limit': (f) =>
    `with a real quota it was refused ${f.refused === 1 ? 'once' : `${f.refused} times`} in ${f.requests} requests (${f.case})`,
  'quota-not-exercised': (f) =>
    f.case === 'none'
      ? 'the audit did not play a real quota'
      : `it was asked for ${f.asked} requests and sent ${f.sent}: what it does with a real quota was not seen (${f.case})`,
  'sets-off-ban': (f) => `it set off the ban of its key (${f.case})`,
  'comes-back-on-huge': (f) =>
    `it came back after ${durationOf(f.waitedMs)} while a wait of over a day was named (${f.case})`,
  'huge-not-shown': () => 'the audit did not play a wait of more than a day',
}

const advice: Partial<Seen> = {
  'only-seconds': () => 'Try again on a date and on a 429 without Retry-After too.',
  'immediate-attempt': () => 'Wait before the first retry too, and where Retry-After is 0, past or malformed.',
  'zero-taken-as-now': () => 'Wait a little even on Retry-After: 0.',
  'runs-into-limit': () => 'Read X-RateLimit-Remaining, and at 0 wait for X-RateLimit-Reset instead of asking.',
  'quota-not-exercised': () =>
    'Let the command send PETSTORE_REQUESTS requests from PETSTORE_WORKERS workers, so that it can be seen.',
  'sets-off-ban': () => 'Stop sending while the key is refused.',
  'comes-back-on-huge': () => 'Give up where the wait is too long for you, rather than come back early.',
}

/** What the rubric asks for beyond the clauses. */
export const furtherReasons = (
  evidence: ClientEvidence,
  results: readonly CheckResult<ClientCheck>[],
): readonly GradeReason[] => [
  ...seenIn(evidence).map((each) => ({ ...each, of: { sentences, advice } })),
  ...obsolete(results),
]
