import { bucketModels, type ModelName } from '../contract/limiter-models.js'
import { secondMs } from '../contract/plans.js'
import { clockErrorMs } from '../readings/key-history.js'
import { answeredBefore } from '../readings/key-record.js'
import { namesNoEnd } from './ended-windows.js'
import { countsBackWhole, isLongEnough, logLosing, modelsLeft } from './gives-back-at-once.js'
import type { JudgedKey } from './judged-keys.js'

/** Limiters that start a window with the first request after a silence, or have nothing to forget within a window from then. */
const beginningWithRequest: ReadonlySet<ModelName> = new Set(['fixed-window-first-request', 'sliding-log'])

/** Says whether two rows of a key lie within one window, whose start an earlier silence of its length shows. */
const sharingSilence = (key: JudgedKey): ((first: number, second: number) => boolean) => {
  const { record, window } = key
  const models = modelsLeft(key)
  const isTold = models.length > 0 && models.every((model) => beginningWithRequest.has(model))
  const apartMs = window.windowMs + clockErrorMs(window.windowMs)
  // What was sent before the run is unknown.
  let begunMs = Number.NaN
  const begun = answeredBefore(record).map((untilMs, i) => {
    if (i > 0 && record.sentMs[i] > untilMs + apartMs) begunMs = record.sentMs[i]
    return begunMs
  })
  const lastsMs = window.windowMs - clockErrorMs(window.windowMs)
  return (first, second) => isTold && record.receivedMs[second] < begun[first] + lastsMs
}

/** Two rows are close together if within this share of a window. */
const soonShare = 1 / 4

/** A Reset this close ahead, in milliseconds, is none: `t=0` is read as the moment at which it arrived. */
const endsNowMs = 1

/**
 * Says whether two rows of a key, close together, show the end of the same open window: ends of two windows lie a whole
 * length apart. A Reset that is no such end may repeat across windows, so rows far apart prove nothing, nor do those of a key
 * whose Resets are known to name no end. Without a Reset an earlier silence may decide.
 */
const showingOneWindow = (key: JudgedKey) => {
  const { record, clock } = key
  const { windowMs } = key.window
  const { from, to } = clock.likely ?? clock
  const shareSilence = sharingSilence(key)
  const isTelling = isLongEnough(key.window) && !namesNoEnd(key)
  return (first: number, second: number): boolean => {
    if (record.receivedMs[second] - record.sentMs[first] >= windowMs * soonShare) return false
    const resetMs = record.reset[second] * 1000
    if (Number.isNaN(resetMs)) return shareSilence(first, second)
    // A window that ends now is over: a target that counts just after the edge may still name the one before it.
    const isOpen =
      resetMs - from > record.receivedMs[second] + endsNowMs &&
      resetMs - to <= record.sentMs[first] + windowMs + secondMs
    const isSame = Math.abs(record.reset[first] * 1000 - resetMs) <= secondMs
    return isTelling && isOpen && isSame
  }
}

/** Half a request: anything less is shown as nothing, however it is rounded. */
const shownAsNothing = 0.5

/**
 * Whether a row shows that the quota was full before it, and another follows before a bucket can have regained a visible
 * amount. A bucket that rounds up would show the same value twice, but never 0 when it admits: `showsNothingLeft`.
 */
const isSoonAfterWhole = ({ record, window }: JudgedKey, showsNothingLeft: boolean) => {
  const { windowMs, limit } = window
  return (first: number, second: number): boolean =>
    showsNothingLeft &&
    record.remaining[first] === limit - 1 &&
    ((record.receivedMs[second] - record.sentMs[first]) * limit) / windowMs < shownAsNothing
}

/** Whether a key that no limiter explains is closest to a bucket: it may get several tokens at once, at any moment. */
const mayGetLumps = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'fail' && bucketModels.includes(judgement.closest)

/**
 * Says whether it is certain that no visible quota came back between two admissions of a key, the second sent after the first
 * was answered: both lie in one window, and no limiter that the key may have gives anything back within a window, or no
 * limiter at all does that soon.
 *
 * Example, with 60 in 60 s: the first shows 59, so the quota was full before it; a second within half a second shows 58.
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
