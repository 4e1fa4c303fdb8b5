import { secondMs } from '../../contract/whole-seconds.js'
import { countBelow, countUpTo } from '../../kit/sorted-counts.js'
import { givesBackAtOnce } from '../../oracle/gives-back-at-once.js'
import type { JudgedKey } from '../../oracle/judged-keys.js'
import { outcomes } from '../../readings/history.js'

/** What the Reset of an answer promises of a quota that comes back as a whole: that it is there from some moment on. */
interface PromisedReturn {
  readonly answer: number
  /** When the answer was sent for; earlier where the moment may have passed by then, rounded up as it is. */
  readonly fromMs: number
  /** The latest moment that may be meant: whole seconds may be rounded down. */
  readonly latestMs: number
}

/** A refusal after a Reset had passed, while so little had been sent since that the quota could not be spent again. */
export interface RefusedWithRoom {
  readonly promise: number
  readonly refusal: number
  /** How long after the latest moment that the promise may mean it was sent, in milliseconds. */
  readonly lateMs: number
  /** What may have been spent since the promise was given, with the refused request itself. */
  readonly spent: number
}

/** The promises of answers that show this quota and a moment that lies ahead, by their latest moments. */
const promisedReturns = ({ record, window: { quota }, clock, history }: JudgedKey): PromisedReturn[] => {
  const promises: PromisedReturn[] = []
  for (let answer = 0; answer < record.size; answer += 1) {
    const isShown = history.outcome[answer] === outcomes.admitted || history.outcome[answer] === outcomes.refused
    if (!isShown || record.limit[answer] !== quota.limit || quota.limit === quota.longer) continue
    const resetMs = record.reset[answer] * 1000
    const latestMs = resetMs - clock.from + secondMs
    // What lies in the past is no promise of a return: RATE-5 speaks of it.
    if (latestMs - secondMs > record.receivedMs[answer]) {
      const fromMs = Math.min(record.sentMs[answer], resetMs - clock.to - secondMs)
      promises.push({ answer, fromMs, latestMs })
    }
  }
  return promises.sort((one, other) => one.latestMs - other.latestMs)
}

/** For a moment of sending: of the promises whose moment had passed by then the one that was given last. */
const lastPassed = (promises: readonly PromisedReturn[]): ((sentMs: number) => PromisedReturn | undefined) => {
  const latest = Float64Array.from(promises, ({ latestMs }) => latestMs)
  let last: PromisedReturn | undefined
  const upTo = promises.map((each) => {
    if (!last || each.fromMs > last.fromMs) last = each
    return last
  })
  return (sentMs) => upTo[countUpTo(latest, sentMs) - 1]
}

/** What may have been spent from a moment on until a request was answered, with that one. */
const spentBetween = ({ record: { sentMs, receivedMs, cost } }: JudgedKey) => {
  // What was never answered may be counted at any time.
  const received = receivedMs.filter((ms) => !Number.isNaN(ms)).sort()
  const most = cost?.reduce((dearest, each) => Math.max(dearest, each), 1) ?? 1
  return (fromMs: number, request: number): number =>
    most * (countUpTo(sentMs, receivedMs[request]) - countBelow(received, fromMs))
}

/**
 * The first request that was refused although a Reset had passed, and although no more than the quota was sent since an
 * answer named it: the quota had not come back. Of 40 in 12 s an answer names 6 s; 30 requests later, at 8 s, one is
 * refused.
 *
 * Counted from the answer, for a quota that comes back before its Reset breaks no promise of a return. Sound where the
 * whole quota comes back at once, and only there: a bucket that names when it will be full is held to that only in
 * silence. Undefined where limiters of another kind explain the key too.
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
