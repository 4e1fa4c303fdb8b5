import type { CheckOf, Defined, Judging, Promised } from '../../checks/framework/check.js'
import { fail, inconclusive, notTested, type SentencesOf } from '../../checks/framework/finding.js'
import type { Arrival, Audit } from '../../evidence/arrivals.js'
import type { Finding } from '../../verdict/verdict.js'
import type { hammeringIn } from '../waits/hammering.js'
import type { EarlyOfStory } from '../waits/seconds-and-dates.js'
import { type ClientEvidence, inWords, type Story, triesAgain } from '../waits/story.js'
import { atOnceMs } from '../waits/waits.js'
import { durationOf, type Mend, type MendsOf } from './in-words.js'

/** Any client may give up a wait this long. */
const mayGiveUpMs = 300_000

/** Whether a play can't show that its client retries: each wait outlasts the watch, or may be given up. */
const staysAway = (story: Story): boolean => {
  const { play, refusals } = story
  if (refusals.length === 0 || triesAgain(story)) return false
  return refusals.every(({ named, answeredAt }) => {
    if (named.kind !== 'seconds' && named.kind !== 'huge') return false
    return play.end === 'watch' ? named.untilMs > play.endedAt : named.untilMs - answeredAt > mayGiveUpMs
  })
}

/** How long a client that was always told to stay away did so, and whether it gave up; undefined for other clients. */
const stayingAway = (stories: readonly Story[]) => {
  const refused = stories.filter(({ refusals }) => refusals.length > 0)
  if (refused.length === 0 || !refused.every(staysAway)) return undefined
  return {
    watchedMs: Math.max(...refused.map(({ play, refusals: [first] }) => play.endedAt - first.answeredAt)),
    gaveUp: refused.every(({ play }) => play.end === 'exit'),
  }
}

const noBearerFacts = (audit: Audit, arrival: Arrival) => ({
  case: audit.plays.find(({ id }) => id === arrival.play)?.case ?? arrival.play,
  shown: arrival.credential === 'none' ? 'nothing' : 'something else',
})

/** The client has the key (it sent it in another request or form), but one request lacks it as a Bearer. */
export const noBearer = (audit: Audit, strangers: readonly [Arrival, ...Arrival[]]) =>
  fail('no-bearer', noBearerFacts(audit, strangers[0]), ...strangers)

export const neverBearer = (audit: Audit, first: Arrival) =>
  notTested('never-bearer', { ...noBearerFacts(audit, first), requests: audit.arrivals.length }, first)

/** Why nothing can be judged, if so: no request came, none carried the key, or the client never retried. */
const nothingToJudge = ({ audit, stories }: ClientEvidence) => {
  if (audit.arrivals.length === 0) return inconclusive('never-arrived', {})
  const stranger = audit.arrivals.find(({ credential }) => credential !== 'bearer')
  if (stranger && stories.every(({ arrivals }) => arrivals.length === 0)) return neverBearer(audit, stranger)
  const away = stayingAway(stories)
  if (away) return notTested('stayed-away', away)
  // What it does after a 503 is reported, not judged.
  const on429 = stories.filter(({ refusals }) => refusals.some(({ arrival }) => arrival.status === 429))
  if (!(on429.length > 0 ? on429 : stories).some(triesAgain)) {
    if (stranger) return notTested('tries-again-without-key', noBearerFacts(audit, stranger), stranger)
    return inconclusive('never-tries-again', { after503: stories.some(triesAgain) })
  }
  return undefined
}

export const caseNotPlayed = (wanted: string) => notTested('case-not-played', { wanted })

/** When an arrival's connection was opened, relative to an answer: this decides whether it was in flight. */
const connectionFacts = (answeredAt: number, { acceptedAt, openedAfter }: Arrival) => ({
  connection: acceptedAt <= answeredAt ? 'older' : openedAfter >= answeredAt ? 'newer' : 'unclear',
  openedMs: acceptedAt - answeredAt,
})

const connectionInWords = ({ connection, openedMs }: ReturnType<typeof connectionFacts>): string =>
  connection === 'older'
    ? 'on a connection that was open by then'
    : connection === 'newer'
      ? `on a connection opened ${durationOf(openedMs)} after it`
      : `on a connection that was accepted ${durationOf(openedMs)} after it, and may have been opened before`

/** An arrival whose client may or may not have known of the refusal: neither a breach nor a proof of none. */
export const earlyOrUnderWay = ({ story, refusal, arrival, waitedMs }: EarlyOfStory) => {
  const connection = connectionFacts(refusal.answeredAt, arrival)
  const facts = { case: story.play.case, named: inWords(refusal.named), waitedMs, ...connection }
  return inconclusive('early-or-under-way', facts, refusal.arrival, arrival)
}

/** Two immediate attempts in a row, by the medians over the plays. */
type Hammering = ReturnType<typeof hammeringIn>[number]

export const hammersFinding = ({ lonely, waitMs, nextWaitMs, witnesses, certain }: Hammering) => {
  const facts = {
    case: lonely.case,
    named: inWords(lonely.named),
    huge: lonely.named.kind === 'huge',
    waitMs,
    nextWaitMs,
  }
  return certain ? fail('hammers', facts, ...witnesses) : inconclusive('hammers-or-late', facts, ...witnesses)
}

/** Too few plays for a median, or to see jitter. */
export const tooFewPlays = (plays: number) => inconclusive('too-few-plays', { plays })

type Shared =
  | ReturnType<typeof noBearer>
  | NonNullable<ReturnType<typeof nothingToJudge>>
  | ReturnType<typeof caseNotPlayed | typeof earlyOrUnderWay | typeof hammersFinding | typeof tooFewPlays>

const sharedSentences = {
  'case-not-played': ({ wanted }) => `the audit did not play ${wanted}`,
  'never-arrived': () => 'no request came',
  'never-tries-again': (f) =>
    f.after503
      ? 'it tries again after a 503, but never after a 429: there is no backoff to judge'
      : 'it never tries again after a 429 or 503: there is no backoff to judge',
  'stayed-away': (f) =>
    f.gaveUp
      ? 'it gave up on such a long wait, which is allowed'
      : `it stayed away for the ${durationOf(f.watchedMs)} that quotaspec watched, as told`,
  'never-bearer': (f) =>
    `${f.requests === 1 ? 'its one request was' : `all ${f.requests} requests were`} answered 401: the key must come as Authorization: Bearer, but that header had ${f.shown}`,
  'tries-again-without-key': (f) =>
    `it tries again, but with ${f.shown} instead of Authorization: Bearer and its key: there is no backoff to judge (${f.case})`,
  'no-bearer': (f) => `a request carried ${f.shown} instead of Authorization: Bearer with its key (${f.case})`,
  'early-or-under-way': (f) =>
    `a request came ${durationOf(f.waitedMs)} after a refusal that said ${f.named}, ${connectionInWords(f)}${f.connection === 'unclear' ? '' : ', while the machine stalled'}, so it may have been under way already (${f.case})`,
  hammers: (f) =>
    `it hammers: with ${f.named} it came again after ${durationOf(f.waitMs)} and ${durationOf(f.nextWaitMs)} (${f.case})`,
  'hammers-or-late': (f) =>
    `with ${f.named} it came again after ${durationOf(f.waitMs)} and ${durationOf(f.nextWaitMs)}: it may have waited, or the machine was that late (${f.case})`,
  'too-few-plays': (f) => `${f.plays} plays are too few: eight are needed`,
} satisfies SentencesOf<Shared>

type SharedCode = keyof typeof sharedSentences

/** Advice: how to keep a named wait, whichever request was refused. */
export const pauseTheKey =
  'Pause the key, not the request: share one moment among all workers, and send nothing before it.'

/** Advice: how to wait if the refusal names no wait. */
export const ownWaits = `Back off if the refusal names no wait: start with half a second (less than ${atOnceMs} ms does not count as a wait), and double it.`

/** Advice: what to do about a wait that one does not want to keep, or cannot. */
export const giveUp =
  'If a wait is too long for you, or for your timers, such as one of over a day, give up; do not come back early.'

const backOff = ({ named, huge }: ReturnType<typeof hammersFinding>['facts']): string =>
  huge
    ? giveUp
    : named === 'no wait'
      ? ownWaits
      : `Treat an unusable Retry-After like a missing one, and back off: half a second or more.`

const sendWithEach = () => 'Send the key with every request, as Authorization: Bearer <API_KEY>.'

const sharedAdvice = {
  'never-arrived': () => 'Let the command read PETSTORE_BASE_URL and PETSTORE_API_KEY, or give it {url} and {key}.',
  'never-tries-again': () => 'Try again after a 429: wait for Retry-After, then send the request once more.',
  'never-bearer': () =>
    'Send the key of PETSTORE_API_KEY, or {key}, as Authorization: Bearer <API_KEY>, and in no other form.',
  'tries-again-without-key': sendWithEach,
  'no-bearer': sendWithEach,
  'early-or-under-way': ({ connection }) => ({
    ifItStands: `${pauseTheKey}${connection === 'unclear' ? ' An audit can tell more of a client that keeps its connections open.' : ''}`,
  }),
  hammers: backOff,
  'hammers-or-late': (f) => ({ ifItStands: backOff(f) }),
} satisfies MendsOf<SentencesOf<Shared>>

/** A promise of a client, with a pure judgement of its arrivals. */
export interface ClientCheck<F extends Finding = Finding> extends CheckOf<ClientEvidence, F> {
  readonly advice?: Readonly<Record<string, (facts: never) => Mend>>
}

type Advice<F extends Finding> = { readonly advice?: NoInfer<MendsOf<SentencesOf<F>>> }

/** Defines a check of a client: sentences as in {@link defineCheck}, and advice. */
export const defineClientCheck = <F extends Finding, S>(
  check: Promised & Judging<ClientEvidence, F, S, SharedCode> & Advice<F>,
): Defined<F, ClientCheck<F>> => {
  const { sentences, advice } = check as ClientCheck
  return {
    ...check,
    sentences: { ...sharedSentences, ...sentences },
    advice: { ...sharedAdvice, ...advice },
  } as never
}

/** The same for what a client does after a refusal; it judges only clients that show that. */
export const defineBackoffCheck = <F extends Finding, S>(
  check: Promised & Judging<ClientEvidence, F, S, SharedCode> & Advice<F>,
): Defined<F, ClientCheck<F>> => {
  const judge = (evidence: ClientEvidence): Finding => {
    const nothing = nothingToJudge(evidence)
    if (!nothing) return check.judge(evidence)
    return check.level === 'observe' ? { ...nothing, verdict: 'not-tested' } : nothing
  }
  return { ...(defineClientCheck(check) as ClientCheck), judge } as never
}
