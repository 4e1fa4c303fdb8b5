import type { QuotaSpec } from '../contract/api-contract.js'
import type { ModelName } from '../contract/limiter-models.js'
import { clockErrorMs } from '../readings/key-history.js'
import { answeredBefore, underWay } from '../readings/key-record.js'
import type { JudgedKey } from './judged-keys.js'

/** Limiters whose quota returns all at once, at the end of the window. In the others it comes back bit by bit. */
const returningAtOnce: ReadonlySet<ModelName> = new Set([
  'fixed-window',
  'fixed-window-first-request',
  'interval-refill',
  'interval-refill-idle',
])

/** Whether a quota admits a limiter that gives all back at once: none does that has to be a bucket or a log. */
export const mayGiveBackAtOnce = ({ models, burst }: Pick<QuotaSpec, 'models' | 'burst'>): boolean =>
  burst === undefined && models.some((model) => returningAtOnce.has(model))

/** Whether only limiters that give all back at once explain what was seen of the key. */
export const givesBackAtOnce = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && judgement.models.every((model) => returningAtOnce.has(model))

/** The limiters that explain a key; none where it has a broken one, of which nothing is known. */
const modelsLeft = ({ judgement }: JudgedKey): readonly ModelName[] =>
  judgement?.verdict === 'pass' ? judgement.models : []

/** Whether it gives nothing back of what was spent within the window. */
const keepsWithinWindow = (model: ModelName): boolean => returningAtOnce.has(model) || model === 'sliding-log'

/** Whether nothing of what is spent comes back bit by bit, so that what remains is a whole number. */
export const countsBackWhole = (key: JudgedKey): boolean => {
  const models = modelsLeft(key)
  return models.length > 0 && models.every(keepsWithinWindow)
}

/** A second: moments are shown in whole ones. */
const roundedMs = 1_000

/** Windows that are shorter than four of those can't be told apart by a Reset that need not be honest. */
const leastRoundings = 4

/** Limiters that begin a window with the first request behind a silence, or have nothing to forget within one from there. */
const beginningWithRequest: ReadonlySet<ModelName> = new Set(['fixed-window-first-request', 'sliding-log'])

/** Says of two rows of a key whether they lie within a window that a silence of its length shows to have begun before them. */
const sharingSilence = (key: JudgedKey): ((first: number, second: number) => boolean) => {
  const { record, window } = key
  const models = modelsLeft(key)
  const isTold = models.length > 0 && models.every((model) => beginningWithRequest.has(model))
  const apartMs = window.windowMs + clockErrorMs(window.windowMs)
  // What was sent before the run is not known.
  let begunMs = Number.NaN
  const begun = answeredBefore(record).map((untilMs, i) => {
    if (i > 0 && record.sentMs[i] > untilMs + apartMs) begunMs = record.sentMs[i]
    return begunMs
  })
  const lastsMs = window.windowMs - clockErrorMs(window.windowMs)
  return (first, second) => isTold && record.receivedMs[second] < begun[first] + lastsMs
}

/** A Reset that lies so little ahead, in milliseconds, is none: `t=0` is read as the moment at which it came. */
const endsNowMs = 1

/**
 * Says of two rows of a key, soon after each other, whether they show the end of one window that is open: ends of two windows
 * lie a whole length apart. A Reset that is no such end may be the same in two of them, so that rows far apart tell nothing.
 * Where no Reset is shown a silence before may tell.
 */
const showingOneWindow = (key: JudgedKey) => {
  const { record, clock } = key
  const { windowMs } = key.window
  const { from, to } = clock.likely ?? clock
  const shareSilence = sharingSilence(key)
  return (first: number, second: number): boolean => {
    if (record.receivedMs[second] - record.sentMs[first] >= windowMs / leastRoundings) return false
    const resetMs = record.reset[second] * 1000
    if (Number.isNaN(resetMs)) return shareSilence(first, second)
    // A window that is said to end now is over: a target that counts behind the edge may still name the one before it.
    const isOpen =
      resetMs - from > record.receivedMs[second] + endsNowMs &&
      resetMs - to <= record.sentMs[first] + windowMs + roundedMs
    const isSame = Math.abs(record.reset[first] * 1000 - resetMs) <= roundedMs
    return windowMs >= leastRoundings * roundedMs && isOpen && isSame
  }
}

/**
 * Of a key's record, whether a log of one window's length may have lost something between two moments. It keeps no refusal,
 * unless it may refuse early.
 */
const logLosing = ({ record, window, agreed }: JudgedKey) => {
  const mayKeepRefused = agreed.exact?.early === null
  const wasUnderWay = underWay(record, (i) => mayKeepRefused || record.status[i] !== 429)
  const errorMs = clockErrorMs(window.windowMs)
  return (sinceMs: number, beforeMs: number): boolean => {
    const fromMs = sinceMs - window.windowMs - errorMs
    const untilMs = beforeMs - window.windowMs + errorMs
    // What was sent before the run is not known.
    return fromMs < record.sentMs[0] || wasUnderWay(fromMs, untilMs)
  }
}

/** Half of a request: less than that is shown as nothing, however it is rounded. */
const shownAsNothing = 0.5

/**
 * Whether a row shows that the quota was whole before it, and another comes so soon that no bucket has got anything back which
 * shows. One that rounds up would show the same twice, but never that nothing is left when it admits: `showsNothingLeft`.
 */
const isSoonAfterWhole = ({ record, window }: JudgedKey, showsNothingLeft: boolean) => {
  const { windowMs, limit } = window
  return (first: number, second: number): boolean =>
    showsNothingLeft &&
    record.remaining[first] === limit - 1 &&
    ((record.receivedMs[second] - record.sentMs[first]) * limit) / windowMs < shownAsNothing
}

/** Whether a key that no limiter explains is nearest to a bucket: such a one may get several tokens at once, at any moment. */
const mayGetLumps = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'fail' && (judgement.closest === 'token-bucket' || judgement.closest === 'gcra')

/**
 * Says of two admissions of a key, the second sent when the first was answered, whether it is certain that nothing of the
 * quota that shows came back between them: both lie in one window, and no limiter that the key may have gives anything back
 * within one, or none at all does so soon.
 *
 * Example, with 60 in 60 s: the first shows 59, so that all was there before it; a second within half a second shows 58.
 */
export const keepsWhatIsSpent = (key: JudgedKey): ((first: number, second: number) => boolean) => {
  const { record, window } = key
  const models = modelsLeft(key)
  const isWhole = countsBackWhole(key)
  const mayLose = models.includes('sliding-log') ? logLosing(key) : () => false
  const keepsAll = (first: number, second: number) =>
    isWhole && !mayLose(record.sentMs[first], record.receivedMs[second])
  const showsNothingLeft = record.remaining.some(
    (left, i) => left === 0 && record.status[i] === 200 && record.limit[i] === window.limit,
  )
  const isSoon = mayGetLumps(key) ? () => false : isSoonAfterWhole(key, showsNothingLeft)
  const showOneWindow = showingOneWindow(key)
  return (first, second) => showOneWindow(first, second) && (isSoon(first, second) || keepsAll(first, second))
}

/**
 * Whether answers of a key can show how much of its quota is spent: nothing of it comes back bit by bit, and its window is
 * long enough for the end that answers show.
 */
export const tellsSpending = (key: JudgedKey): boolean => {
  const { record, window, clock } = key
  const { from, to } = clock.likely ?? clock
  const showsEnd = record.reset.some((seconds, i) => {
    // A refusal's Reset, or one beside another Limit, may be of another quota.
    if (record.status[i] !== 200 || record.limit[i] !== window.limit) return false
    const momentMs = seconds * roundedMs
    return momentMs - from >= record.receivedMs[i] && momentMs - to <= record.sentMs[i] + window.windowMs + roundedMs
  })
  return countsBackWhole(key) && window.windowMs >= leastRoundings * roundedMs && showsEnd
}

/** From when a request was sent to when the next one was answered, which shows as much left. */
interface Unmoved {
  readonly sentMs: number
  readonly receivedMs: number
}

/**
 * Says of such pairs of a key how likely it is that what the requests took came back each time before it showed; NaN where
 * nobody can tell. A window gives nothing back, and a log what it counted a window ago. A bucket hides a request when a whole
 * one comes back, and a sliding counter forgets no faster: with 60 in 60 s one of ten that take 0.1 s, all ten never.
 */
export const chanceOfComingBack = (key: JudgedKey): ((pairs: readonly Unmoved[]) => number) => {
  const { limit, windowMs } = key.window
  const models = modelsLeft(key)
  const mayLose = logLosing(key)
  return (pairs) => {
    const chanceIn = (model: ModelName): number => {
      if (returningAtOnce.has(model)) return 0
      if (model === 'sliding-log')
        return pairs.every(({ sentMs, receivedMs }) => mayLose(sentMs, receivedMs)) ? Number.NaN : 0
      return pairs.reduce(
        (all, { sentMs, receivedMs }) => all * Math.min(1, ((receivedMs - sentMs) * limit) / windowMs),
        1,
      )
    }
    return models.length === 0 ? Number.NaN : Math.max(...models.map(chanceIn))
  }
}
