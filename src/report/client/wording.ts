import { formatDuration } from '../../kit/duration.js'
import type { ClientCode, ClientFacts, ClientFinding } from '../../verdict/client-finding.js'

/** Every sentence that the judgement of a client can say. A code without one does not compile. */
type ClientWording = { readonly [C in ClientCode]: (facts: ClientFacts[C]) => string }

const after = (ms: number): string => (ms < 1 ? '0 ms' : formatDuration(ms))
const waits = (all: readonly number[]): string => all.map(after).join(', ')

const held = (times: number): string =>
  times === 1 ? 'held the one time that it was asked for' : `held all ${times} times`

const wording: ClientWording = {
  held: ({ examined }) => held(examined),
  'waits-kept': (f) =>
    f.examined === f.telling
      ? `${held(f.examined)}: coming ${after(f.tellingMs)} early would have shown`
      : `${held(f.examined)}; in ${f.telling} of them coming ${after(f.tellingMs)} early would have shown`,
  'kept-or-held-up': (f) =>
    f.examined === 0
      ? 'no wait was seen to its end'
      : `${held(f.examined)}, but coming ${after(f.tellingMs)} early would have shown in ${f.telling} of them only, and ${f.needed} are needed: the machine held it up, by up to ${after(f.concealedMs)} more than it came late`,
  'gives-up': ({ examined }) =>
    `it gave up each of the ${examined} times that seconds were named, and came too early never`,
  'case-not-played': ({ wanted }) => `the audit did not play ${wanted}`,
  'never-arrived': () => 'not one request came',
  'never-tries-again': () => 'it never tries again after a 429 or 503: there is no backoff to judge',
  'no-bearer': (f) => `a request showed ${f.shown} where Authorization: Bearer with its key is due (${f.case})`,
  'comes-early': (f) =>
    `${f.parallel ? 'another request on the key came' : 'it came'} ${after(f.waitedMs)} after a 429 that said ${f.named} (${f.case})`,
  'early-or-under-way': (f) =>
    `a request came ${after(f.waitedMs)} after a refusal that said ${f.named}, while the machine stalled: whether it was under way can't be told (${f.case})`,
  'misses-date': (f) =>
    `it came ${after(f.waitedMs)} after a refusal whose Retry-After was a date ${after(f.namedMs)} ahead (${f.case})`,
  'gives-up-on-date': (f) => `told a date, it gives up, though it comes back elsewhere (${f.case})`,
  'dates-kept': (f) => `dates were kept: ${held(f.examined)}, ${f.telling} of them not as its own waits would have it`,
  'date-or-own-wait': (f) =>
    f.examined === 0
      ? 'no date was seen to its end'
      : `it came after the date each time (${f.examined}), but after as long as it waits by itself: whether it reads dates can't be told`,
  'obsolete-date-missed': (f) => `a date in an obsolete form, which no server may send, is not kept (${f.case})`,
  'obsolete-dates-kept': ({ examined }) => `dates in the two obsolete forms were kept ${examined} times`,
  hammers: (f) =>
    `it hammers: with ${f.named} it came again after ${after(f.waitMs)} and ${after(f.nextWaitMs)} (${f.case})`,
  'hammers-or-late': (f) =>
    `with ${f.named} it came again after ${after(f.waitMs)} and ${after(f.nextWaitMs)}: whether it waited, or the machine was that late, can't be told (${f.case})`,
  'waits-do-not-grow': (f) =>
    `its waits do not grow: ${waits(f.waitsMs)} (by ${f.meanRatio.toFixed(2)} on average, ${f.lastRatio.toFixed(2)} at last)`,
  'growth-unclear': (f) => `whether its waits grow can't be told: ${waits(f.waitsMs)}`,
  'too-few-waits': (f) =>
    `it made ${f.waits} ${f.waits === 1 ? 'wait' : 'waits'} of its own; three are needed to see growth`,
  'too-few-plays': (f) => `${f.plays} plays are too few: eight are needed`,
  grows: (f) => `its waits grow by ${f.factor.toFixed(2)}: ${waits(f.waitsMs)}`,
  'no-jitter': (f) =>
    `its own waits have no jitter: attempt ${f.attempt} waited ${after(f.waitMs)}, within ${after(f.spreadMs)} over ${f.plays} plays`,
  jittered: (f) =>
    `attempt ${f.attempt} waited ${after(f.waitMs)}, spread over ${after(f.spreadMs)} in ${f.plays} plays`,
  'machine-too-busy': (f) =>
    `the machine was too busy to tell jitter: attempt ${f.attempt} waited ${after(f.waitMs)}, spread over ${after(f.spreadMs)}, and a client without jitter was late by ${after(f.lateMs)} itself`,
  'attempts-unbounded': (f) => `${f.attempts} attempts, and no end (${f.case})`,
  'bound-not-seen': (f) =>
    `still trying when the time was up after ${after(f.watchedMs)}, its longest wait ${after(f.longestWaitMs)} (${f.case})`,
  bounded: ({ attempts }) => `it ends after ${attempts} attempts at most, or waits for a minute`,
  'workers-come-back-at-once': (f) =>
    `most of ${f.workers} workers that were refused together came back within ${after(f.withinMs)} (${f.case})`,
  'workers-spread': (f) =>
    `${f.workers} workers that were refused together came back spread out: most of them over ${after(f.withinMs)}`,
  'workers-spread-or-held-up': (f) =>
    `most of ${f.workers} workers that were refused together came back within ${after(f.withinMs)}, while the machine was late by ${after(f.lateMs)}: whether they spread can't be told (${f.case})`,
  'no-parallel-workers': () => 'it never had ten requests refused at once',
  'no-own-waits': () => 'it never tries again where no wait is named',
  'early-after-503': (f) => `it came ${after(f.waitedMs)} after a 503 that asked for ${after(f.namedMs)} (${f.case})`,
  'kept-after-503': ({ examined }) => `Retry-After on a 503 was kept ${examined} times`,
  'only-seconds': () => 'it tries again only where a wait is named in seconds',
  'immediate-attempt': (f) => `one attempt comes at once, after ${after(f.waitMs)}, with ${f.named} (${f.case})`,
  'zero-taken-as-now': (f) => `on Retry-After: 0 it came at once ${f.attempts} times in a row`,
  'runs-into-limit': (f) =>
    `with a real quota it was refused ${f.refused === 1 ? 'once' : `${f.refused} times`} in ${f.requests} requests (${f.case})`,
  'quota-not-exercised': (f) =>
    f.case === 'none'
      ? 'the audit did not play a real quota'
      : `it was asked for ${f.asked} requests and sent ${f.sent}: what it does with a real quota was not seen (${f.case})`,
  'sets-off-ban': (f) => `it set off the ban of its key (${f.case})`,
  'comes-back-on-huge': (f) =>
    `it came back after ${after(f.waitedMs)} while a wait of over a day was named (${f.case})`,
  'huge-not-shown': () => 'the audit did not play a wait of more than a day',
}

const advice: { readonly [C in ClientCode]?: (facts: ClientFacts[C]) => string } = {
  'never-arrived': () => 'Let the command read PETSTORE_BASE_URL and PETSTORE_API_KEY, or give it {url} and {key}.',
  'never-tries-again': () => 'Try again after a 429: wait for Retry-After, then send the request once more.',
  'no-bearer': () => 'Send the key with every request, as Authorization: Bearer <API_KEY>.',
  'comes-early': (f) =>
    f.parallel
      ? 'Pause the key, not the request: keep one moment for all workers, before which none of them sends anything.'
      : 'Send nothing on the key, from any worker, until all the seconds of Retry-After are over, uncapped; give up where that is too long.',
  'misses-date': () => 'Read Retry-After as an HTTP-date too (RFC 9110 §5.6.7), and wait until that moment.',
  'gives-up-on-date': () =>
    'Read Retry-After as an HTTP-date too (RFC 9110 §5.6.7), wait until that moment, and try again.',
  'obsolete-date-missed': () => 'Read the forms of RFC 850 and asctime too, as RFC 9110 §5.6.7 asks of recipients.',
  'kept-or-held-up': (f) =>
    f.examined === 0 ? 'Let it try again after a wait.' : 'Audit it again while the machine is quiet.',
  'date-or-own-wait': () => 'Play a date that is much further ahead than its own waits, with --cases.',
  'workers-spread-or-held-up': () => 'Audit it again while the machine is quiet.',
  hammers: (f) =>
    f.named === 'no wait'
      ? 'Back off where no wait is named: begin with half a second or more, and double it.'
      : `Take a Retry-After that can't be used as one that is not there, and back off.`,
  'waits-do-not-grow': () => 'Multiply the wait by two after each refusal, up to a cap.',
  'growth-unclear': () =>
    'Audit it with more retries, and while the machine is quiet: waits so few, or so far apart from play to play, show no growth for certain.',
  'too-few-waits': () => 'Audit it with at least three retries, so that its schedule shows.',
  'no-jitter': () => 'Multiply each wait of your own by a random factor, such as one between 1 and 1.5.',
  'early-or-under-way': () => 'Audit it again while the machine is quiet.',
  'hammers-or-late': () => 'Audit it again while the machine is quiet.',
  'machine-too-busy': () => 'Audit it again while the machine is quiet.',
  'attempts-unbounded': () => 'Give up after a number of attempts.',
  'bound-not-seen': () => 'Give up after a number of attempts, or watch longer with --watch.',
  'workers-come-back-at-once': () => 'Let each worker add a random part of its own to the wait.',
  'only-seconds': () => 'Try again on a date and on a 429 without Retry-After too.',
  'immediate-attempt': () => 'Wait before the first retry too, and where Retry-After is 0, past or malformed.',
  'zero-taken-as-now': () => 'Wait a little even on Retry-After: 0.',
  'runs-into-limit': () => 'Read X-RateLimit-Remaining, and at 0 wait for X-RateLimit-Reset instead of asking.',
  'quota-not-exercised': () =>
    'Let the command send PETSTORE_REQUESTS requests from PETSTORE_WORKERS workers, so that it can be seen.',
  'sets-off-ban': () => 'Stop sending while the key is refused.',
  'comes-back-on-huge': () => 'Give up where the wait is too long for you, rather than come back early.',
}

const lookUp = (table: object, { code, facts }: ClientFinding): string | undefined => {
  const say = (table as Readonly<Record<string, ((facts: never) => string) | undefined>>)[code]
  return say?.(facts as never)
}

/** A finding about a client in one sentence. */
export const clientSentence = (finding: ClientFinding): string => lookUp(wording, finding) ?? finding.code

/** What would mend it; null where there is nothing to mend. */
export const clientAdvice = (finding: ClientFinding): string | null => lookUp(advice, finding) ?? null

const letters: Readonly<Record<string, string>> = {
  A: 'stays clear of the limit, waits as told, and backs off by itself',
  B: 'waits as told, and backs off by itself',
  C: 'waits as told and grows its own waits, with flaws',
  D: 'keeps seconds, and misses dates or growth',
  F: 'comes back while it is told to wait, hammers, or never ends',
}

/** The audit's outcome in a sentence. */
export const gradeHeadline = (grade: {
  readonly letter: string | null
  readonly best: string
  readonly worst: string
  readonly reasons: readonly { readonly atBest: string; readonly state: string; readonly sentence: string }[]
}): string => {
  // What stands, and costs it most: an open question beside it may weigh as much, and has not made the grade.
  const decisive = grade.reasons.find(({ atBest, state }) =>
    grade.letter === null ? state === 'open' : state === 'stands' && [grade.letter, 'F'].includes(atBest),
  )
  const first = decisive?.sentence
  if (grade.letter === 'none') return `No grade: ${first ?? 'there is nothing to grade'}`
  if (grade.letter === null)
    return `No grade: somewhere from ${grade.worst} to ${grade.best}; ${first ?? 'too little was seen'}`
  return first === undefined || grade.letter === 'A'
    ? `Grade ${grade.letter}: ${letters[grade.letter]}`
    : `Grade ${grade.letter}: ${first}`
}
