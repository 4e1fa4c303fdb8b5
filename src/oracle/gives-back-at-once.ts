import type { QuotaSpec } from '../contract/api-contract.js'
import type { ModelName } from '../contract/limiter-models.js'
import { type QuotaWindow, secondMs } from '../contract/plans.js'
import { clockErrorMs } from '../readings/key-history.js'
import { underWay } from '../readings/key-record.js'
import type { JudgedKey } from './judged-keys.js'

/** Limiters whose quota returns all at once, at the end of the window. In the others it comes back bit by bit. */
export const returningAtOnce: ReadonlySet<ModelName> = new Set([
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
export const modelsLeft = ({ judgement }: JudgedKey): readonly ModelName[] =>
  judgement?.verdict === 'pass' ? judgement.models : []

/** Whether it gives nothing back of what was spent within the window. */
const keepsWithinWindow = (model: ModelName): boolean => returningAtOnce.has(model) || model === 'sliding-log'

/** Whether nothing of what is spent comes back bit by bit, so that what remains is a whole number. */
export const countsBackWhole = (key: JudgedKey): boolean => {
  const models = modelsLeft(key)
  return models.length > 0 && models.every(keepsWithinWindow)
}

/** Windows that are shorter than four seconds can't be told apart by a Reset, in whole ones, that need not be honest. */
export const isLongEnough = ({ windowMs }: Pick<QuotaWindow, 'windowMs'>): boolean => windowMs >= 4 * secondMs

/**
 * Of a key's record, whether a log of one window's length may have lost something between two moments. It keeps no refusal,
 * unless it may refuse early.
 */
export const logLosing = ({ record, window, agreed }: JudgedKey) => {
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
    const momentMs = seconds * secondMs
    return momentMs - from >= record.receivedMs[i] && momentMs - to <= record.sentMs[i] + window.windowMs + secondMs
  })
  return countsBackWhole(key) && isLongEnough(window) && showsEnd
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
