import type { ModelName } from '../contract/any/limiter-models.js'
import type { JudgedKey } from './judged-keys.js'
import { clockErrorMs } from './readings/key-history.js'
import { underWay } from './readings/under-way.js'

/** Limiters whose quota returns all at once, at the end of the window. In the others it comes back bit by bit. */
const returningAtOnce: ReadonlySet<ModelName> = new Set([
  'fixed-window',
  'fixed-window-first-request',
  'interval-refill',
  'interval-refill-idle',
])

/** Whether only limiters that give all back at once explain what was seen of the key. */
export const givesBackAtOnce = ({ judgement }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' && judgement.models.every((model) => returningAtOnce.has(model))

/** The limiters that explain a key; where none does, those that would with the defect that it looks like. */
const likelyModels = ({ judgement, diagnosis }: JudgedKey): readonly ModelName[] =>
  judgement?.verdict === 'pass' ? judgement.models : (diagnosis?.models ?? [])

/** Whether two rows of a key show the same end of a window: those of two windows lie a whole length apart. */
const showOneWindow = ({ record, window }: JudgedKey, first: number, second: number): boolean =>
  Math.abs(record.reset[first] - record.reset[second]) * 1000 < window.minuteMs / 2

/** Of a key's record, whether a log of one window's length may have lost something between two rows. */
const logLosing = ({ record, window }: JudgedKey) => {
  const wasUnderWay = underWay(record, () => true)
  const errorMs = clockErrorMs(window.minuteMs)
  return (first: number, second: number): boolean => {
    const fromMs = record.sentMs[first] - window.minuteMs - errorMs
    const untilMs = record.receivedMs[second] - window.minuteMs + errorMs
    // What was sent before the run is not known.
    return fromMs < record.sentMs[0] || wasUnderWay(fromMs, untilMs)
  }
}

/**
 * Says of two rows of a key, the second sent when the first was answered, whether it is certain that nothing of the quota
 * came back between them: both show one window, and no limiter that the key may have gives anything back within one.
 */
export const keepsWhatIsSpent = (key: JudgedKey): ((first: number, second: number) => boolean) => {
  const models = likelyModels(key)
  const isAtOnceOrLog = models.every((model) => returningAtOnce.has(model) || model === 'sliding-log')
  if (models.length === 0 || !isAtOnceOrLog) return () => false
  const mayLose = models.includes('sliding-log') ? logLosing(key) : () => false
  return (first, second) => showOneWindow(key, first, second) && !mayLose(first, second)
}
