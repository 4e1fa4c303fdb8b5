import type { QuotaSpec } from '../contract/api-contract.js'
import { type ModelName, returningAtOnce } from '../contract/limiter-models.js'
import { type QuotaWindow, secondMs } from '../contract/plans.js'
import { clockErrorMs } from '../readings/key-history.js'
import { underWay } from '../readings/passage.js'
import type { JudgedKey } from './judged-keys.js'

/** Whether a quota admits a limiter that gives everything back at once: a bucket or a log does not. */
export const mayGiveBackAtOnce = ({ models, burst }: Pick<QuotaSpec, 'models' | 'burst'>): boolean =>
  burst === undefined && models.some((model) => returningAtOnce.has(model))

/** Whether only limiters that give everything back at once explain the key's history. */
export const givesBackAtOnce = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && judgement.models.every((model) => returningAtOnce.has(model))

/** The limiters that explain a key; none if its limiter is broken, since nothing is known about it then. */
export const modelsLeft = ({ judgement }: JudgedKey): readonly ModelName[] =>
  judgement?.verdict === 'pass' ? judgement.models : []

/** Whether the model gives nothing back of what was spent within the window. */
const keepsWithinWindow = (model: ModelName): boolean => returningAtOnce.has(model) || model === 'sliding-log'

/** Whether no quota comes back bit by bit, so that Remaining is a whole number. */
export const countsBackWhole = (key: JudgedKey): boolean => {
  const models = modelsLeft(key)
  return models.length > 0 && models.every(keepsWithinWindow)
}

/** Windows shorter than four seconds cannot be told apart by a Reset, which is in whole seconds and may be wrong. */
export const isLongEnough = ({ windowMs }: Pick<QuotaWindow, 'windowMs'>): boolean => windowMs >= 4 * secondMs

/** Says whether a log may have dropped an entry between two moments. It keeps refusals only if it may refuse early. */
export const logLosing = ({ record, window, agreed }: JudgedKey) => {
  const mayKeepRefused = agreed.exact?.early === null
  const wasUnderWay = underWay(record, (i) => mayKeepRefused || record.status[i] !== 429)
  const errorMs = clockErrorMs(window.windowMs)
  return (sinceMs: number, beforeMs: number): boolean => {
    const fromMs = sinceMs - window.windowMs - errorMs
    const untilMs = beforeMs - window.windowMs + errorMs
    // What was sent before the run is unknown.
    return fromMs < record.sentMs[0] || wasUnderWay(fromMs, untilMs)
  }
}

/**
 * Says how likely it is, for pairs of a key's requests of which the second shows the same Remaining, from the sending of the
 * first to the answer of the second, that what they took came back each time before it showed; NaN if unknown. A window gives nothing back; a log, what it counted a window ago. A bucket hides a request when a whole one comes
 * back, and a sliding counter is no faster: with 60 in 60 s and requests of 0.1 s one in ten, all of ten never.
 */
export const chanceOfComingBack = (key: JudgedKey) => {
  const { limit, windowMs } = key.window
  const models = modelsLeft(key)
  const mayLose = logLosing(key)
  return (pairs: readonly { readonly sentMs: number; readonly receivedMs: number }[]): number => {
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
