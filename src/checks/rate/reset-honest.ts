import { hiddenInAnswers } from '../../certificate/certificates.js'
import { firstTurn, mostBeside } from '../../contract/partitions.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { planName, secondMs } from '../../contract/plans.js'
import type { Evidence } from '../../evidence/evidence.js'
import { countUpTo, placesOf } from '../../kit/numbers.js'
import { formatDuration } from '../../kit/words.js'
import { givesBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { isKeyQuiet, type JudgedKey, judgedKeys } from '../../oracle/judged-keys.js'
import { outcomes } from '../../readings/history.js'
import { isBeyondMinute, namesOwnReset, showsOwnLimit } from '../../readings/key-history.js'
import { admissionAfter, answeredBefore } from '../../readings/key-record.js'
import { mostIn, passageOf } from '../../readings/passage.js'
import { viewOf } from '../../readings/quota-views.js'
import { momentErrorMs } from '../../readings/target-clock.js'
import type { Finding } from '../../verdict/verdict.js'
import { defineCheck, type PlayAgain } from '../framework/check.js'
import { fail, inconclusive, notTested } from '../framework/finding.js'
import { hiding, mayHideSentence } from '../framework/judged-clause.js'
import { loadProfiles } from '../framework/loads.js'
import { bareSpending, spentAgain } from '../framework/spent-again.js'
import { quotaNotJudged } from '../framework/unplayed.js'

/** What an answer's Reset promises of a quota that comes back as a whole: it is available from some moment on. */
interface PromisedReturn {
  readonly answer: number
  /** When the request was sent; earlier if the moment, which may be rounded up, may have passed by then. */
  readonly fromMs: number
  /** The latest moment that Reset may mean: whole seconds may be rounded down. */
  readonly latestMs: number
}

/** A refusal after a Reset had passed, although too little had been sent since to spend the quota again. */
interface RefusedWithRoom {
  readonly promise: number
  readonly refusal: number
  /** How long after the latest moment that the promise may mean the request was sent, in milliseconds. */
  readonly lateMs: number
  /** What may have been spent since the promise was given, including the refused request itself. */
  readonly spent: number
}

/** The promises of answers that show this quota and a future moment, sorted by the latest moment they may mean. */
const promisedReturns = ({ record, window, clock, history }: JudgedKey): PromisedReturn[] => {
  const promises: PromisedReturn[] = []
  for (let answer = 0; answer < record.size; answer += 1) {
    const isShown = history.outcome[answer] === outcomes.admitted || history.outcome[answer] === outcomes.refused
    if (!isShown || !showsOwnLimit(record, answer, window)) continue
    const resetMs = record.reset[answer] * 1000
    const errorMs = momentErrorMs(clock, record.reset[answer])
    // A moment in the past promises no return: RATE-5 speaks of it.
    if (resetMs - clock.from > record.receivedMs[answer]) {
      const fromMs = Math.min(record.sentMs[answer], resetMs - clock.to - errorMs)
      promises.push({ answer, fromMs, latestMs: resetMs - clock.from + errorMs })
    }
  }
  return promises.sort((one, other) => one.latestMs - other.latestMs)
}

/** For a moment of sending: the promise that was given last, of those whose moment had passed by then. */
const lastPassed = (promises: readonly PromisedReturn[]): ((sentMs: number) => PromisedReturn | undefined) => {
  const latest = Float64Array.from(promises, ({ latestMs }) => latestMs)
  let last: PromisedReturn | undefined
  const upTo = promises.map((each) => {
    if (!last || each.fromMs > last.fromMs) last = each
    return last
  })
  return (sentMs) => upTo[countUpTo(latest, sentMs) - 1]
}

/** What may have been spent from a moment on until a request was answered, including that request. */
const spentBetween = ({ record }: JudgedKey) => {
  const passage = passageOf(record, placesOf(record.size))
  const most = record.cost?.reduce((dearest, each) => Math.max(dearest, each), 1) ?? 1
  return (fromMs: number, request: number): number => most * mostIn(passage, fromMs, record.receivedMs[request])
}

/**
 * The first request that was refused although a Reset had passed and no more than the quota had been sent since an
 * answer named it: the quota had not come back. Example: of 40 in 12 s an answer names 6 s; 30 requests later, at 8 s,
 * one is refused.
 *
 * It counts from the answer, because a quota that comes back before its Reset breaks no promise. Sound only if the
 * whole quota comes back at once: a bucket that names when it will be full has to keep that only in silence. Undefined
 * if limiters of another kind explain the key too.
 */
export const refusedWithRoom = (key: JudgedKey): RefusedWithRoom | undefined => {
  const { record, history, agreed } = key
  const early = agreed.exact ? agreed.exact.early : 0
  if (early === null || !givesBackAtOnce(key)) return undefined
  const passedBy = lastPassed(promisedReturns(key))
  const spent = spentBetween(key)
  for (let refusal = 0; refusal < record.size; refusal += 1) {
    if (history.outcome[refusal] !== outcomes.refused) continue
    const promise = passedBy(record.sentMs[refusal])
    if (!promise) continue
    const since = spent(promise.fromMs, refusal)
    if (since > agreed.limit * (1 - early)) continue
    const lateMs = record.sentMs[refusal] - promise.latestMs
    return { promise: promise.answer, refusal, lateMs, spent: since }
  }
  return undefined
}

/** Loads, and the probes that spend a key for its refusals. */
const readsFrom = ['exhaustion', 'while-refused', ...loadProfiles] as const

/**
 * The refusals after which a key was silent until their Reset had passed, each with the request that came then. That
 * one has to be alone: of several at once, another may have taken the quota. So may one in flight beside the refusal,
 * if it was answered when the quota may have been back already: after 19 s, if Reset names 20 s.
 */
function* silentReturns(key: JudgedKey) {
  const { record, window, clock } = key
  const answered = answeredBefore(record)
  for (let i = 0; i + 1 < record.size; i += 1) {
    if (record.status[i] !== 429 || !showsOwnLimit(record, i, window) || isBeyondMinute(record, i, window)) continue
    const resetMs = record.reset[i] * 1000
    // A moment in the past promises no return: RATE-5 speaks of it.
    if (resetMs - clock.from <= record.receivedMs[i]) continue
    const errorMs = momentErrorMs(clock, record.reset[i])
    const hadCompany = answered[i] > Math.max(record.sentMs[i], resetMs - clock.to - errorMs)
    const [next, dueMs] = [i + 1, resetMs - clock.from + errorMs]
    const isAlone = record.sentMs[next] >= record.receivedMs[i] && !(record.sentMs[next + 1] < record.receivedMs[next])
    if (!hadCompany && isAlone && record.sentMs[next] >= dueMs) yield { refusal: i, next, dueMs }
  }
}

/** The share of a window that has to be left so that half of it can be told from all of it, in whole seconds or not. */
const farShare = 1 / 4
/** In whole seconds half can be told from all with this much left: whoever names 3 s for half has more than 4 s. */
const leastToldMs = 2 * secondMs

/**
 * The least that a refusal's Reset says is left: whole seconds are rounded up, and the target's clock is an interval.
 * Uses the likely one: with a clock that may be minutes off, nothing would tell.
 */
const leftMs = ({ record, clock }: JudgedKey, i: number): number => {
  const earliestMs = record.reset[i] * 1000 - momentErrorMs(clock, record.reset[i])
  // A number of seconds is stored as a moment: that shifts it by far less than a millisecond, and may not decide.
  return Math.round(earliestMs - (clock.likely ?? clock).to - record.receivedMs[i])
}

/**
 * How far ahead the Reset of a refusal has to be if the whole quota comes back at once: a quarter of the window. If a
 * shorter quota beside it lets it be spent only late (40 in 12 s, at 10 in 2 s, take 8 s), it is a quarter of what can
 * be left, but no less than whole seconds can tell.
 */
const farInWindowMs = (evidence: Evidence, { name, window: { limit, windowMs } }: JudgedKey): number => {
  const { run } = evidence
  const { quota } = viewOf(evidence)
  const { credential = name } = run.keys.find((each) => each.name === name) ?? {}
  const canBeLeftMs = windowMs * (1 - limit / mostBeside(contractOf(run), quota, firstTurn(quota, credential)))
  return Math.min(windowMs * farShare, Math.max(leastToldMs, canBeLeftMs * farShare))
}

/** How far ahead it has to be if quota comes back bit by bit: a quarter of the farthest Reset that the key shows. */
const farAmongMs = (key: JudgedKey, refusals: readonly number[]): number => {
  const farthestMs = refusals.reduce((most, i) => Math.max(most, leftMs(key, i)), Number.NEGATIVE_INFINITY)
  return farthestMs > 0 ? farthestMs * farShare : Number.NEGATIVE_INFINITY
}

/**
 * The refusals whose Reset can't have been much too early: it was far ahead, and a request was admitted before its
 * moment, or before twice the time that it said was left. A Reset that names half of what is left, read 48 s before the
 * end, says 24 s, and nobody is admitted before 48. One that is read 0.2 s before the end tells nothing, whatever it
 * names; unless no Reset ever lies further ahead, as in a bucket.
 */
const tellingRefusals = (evidence: Evidence, key: JudgedKey): number[] => {
  const { record, window, clock } = key
  const admitted = admissionAfter(record)
  const refusals = placesOf(record.size, (i) => namesOwnReset(record, i, window))
  const leastMs = givesBackAtOnce(key) ? farInWindowMs(evidence, key) : farAmongMs(key, refusals)
  return refusals.filter((i) => {
    const next = admitted(i)
    if (next === undefined || leftMs(key, i) < leastMs) return false
    const wasBeforeReset = record.sentMs[next] <= record.reset[i] * 1000 - (clock.likely ?? clock).to
    return wasBeforeReset || record.receivedMs[next] - record.sentMs[i] < 2 * leftMs(key, i)
  })
}

/** For each refusal, whether it shows the day's quota instead of the minute's: a day does not end during a run. */
const showingDay = ({ record, window: { limit, longer } }: JudgedKey): boolean[] =>
  placesOf(record.size, (i) => record.status[i] === 429).map(
    (i) => record.limit[i] === longer?.limit && longer?.limit !== limit,
  )

/** The same for what Reset promises: sends nothing from the first refusal until the moment that its Reset names. */
const spentAgainInSilence: PlayAgain = {
  ...spentAgain,
  settings: ({ code }: Finding) =>
    code === 'not-told' || code === 'defect-may-hide' ? { ...bareSpending, moments: ['reset'] } : undefined,
}

/** The first breach on a key, by its clock. */
const breachOn = (key: JudgedKey) => {
  const { record, plan, clock, agreed } = key
  for (const { refusal, next, dueMs } of silentReturns(key)) {
    const status = record.status[next]
    if (status !== 429 || isBeyondMinute(record, next, key.window)) continue
    // Another quota may have refused it, although this one was back.
    if (record.excused[next] === 1) continue
    const lateMs = Math.round(record.sentMs[next] - dueMs + momentErrorMs(clock, record.reset[refusal]))
    const witnesses = [record.witness(refusal), record.witness(next)]
    return fail('refused-after-reset', { plan, reset: record.reset[refusal], lateMs, status }, ...witnesses)
  }
  const early = refusedWithRoom(key)
  if (!early) return undefined
  const { promise, refusal, spent } = early
  const lateMs = Math.round(early.lateMs + momentErrorMs(clock, record.reset[promise]))
  const witnesses = [record.witness(promise), record.witness(refusal)]
  return fail(
    'refused-with-room',
    { plan, reset: record.reset[promise], lateMs, status: 429, spent, limit: agreed.limit },
    ...witnesses,
  )
}

/** The key by the clock that the target probably has; undefined if its answers tell the clock. */
const byLikelyClock = (key: JudgedKey): JudgedKey | undefined => {
  const { likely, said, ...clock } = key.clock
  return likely && !said ? { ...key, clock: { ...clock, ...likely } } : undefined
}

export const resetHonest = defineCheck({
  id: 'rate.reset-honest',
  promise: 'The quota is available again from the moment that X-RateLimit-Reset names.',
  clauses: ['RATE-6'],
  readsReset: true,
  advice: 'Check how Reset is computed: when the quota is really back, rounded up to whole seconds.',
  reads: readsFrom,
  needs: { cases: 'refusals with a Reset well ahead, and a request sent at that moment' },
  again: spentAgainInSilence,
  ofApartKeys: true,
  judge(evidence, telling) {
    for (const key of judgedKeys(evidence)) {
      const breach = breachOn(key)
      // Somebody else who spends the key may have taken what was there.
      if (breach) return isKeyQuiet(key) ? breach : quotaNotJudged(key.plan, 'key-not-quiet')
      for (const i of tellingRefusals(evidence, key)) telling.add(key.record.witness(i))
    }
    for (const key of judgedKeys(evidence)) {
      const likely = byLikelyClock(key)
      const doubt = likely && isKeyQuiet(key) ? breachOn(likely) : undefined
      if (!doubt) continue
      const { plan, reset, lateMs, status } = doubt.facts
      return inconclusive('refused-by-likely-clock', { plan, reset, lateMs, status }, ...doubt.witnesses)
    }
    const refused = judgedKeys(evidence).flatMap(showingDay)
    if (refused.length > 0 && refused.every((showsDay) => showsDay))
      return notTested('resets-of-a-day', { refused: refused.length })
    return hiding(hiddenInAnswers(evidence, 'RATE-6')) ?? telling.conclude()
  },
  sentences: {
    ...mayHideSentence,
    'resets-of-a-day': (f) => `${f.refused} refusals show the day's quota; no run waits for its Reset`,
    'refused-after-reset': (f) =>
      `on the ${planName(f.plan)} key a request was answered ${f.status} ${formatDuration(f.lateMs)} after the moment that Reset (${f.reset}) had named`,
    'refused-by-likely-clock': (f) =>
      `on the ${planName(f.plan)} key a request was answered ${f.status} ${formatDuration(f.lateMs)} after the moment that Reset (${f.reset}) had named by this machine's clock; the target sends no Date header, so its own clock is known to 5 minutes only`,
    'refused-with-room': (f) =>
      `on the ${planName(f.plan)} key a request was answered ${f.status} ${formatDuration(f.lateMs)} after the moment that Reset (${f.reset}) had named, although at most ${f.spent} of ${f.limit} requests had been sent since then`,
  },
})
