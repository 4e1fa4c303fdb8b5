import type { ModelName } from '../../contract/limiter-models.js'
import type { JudgedKey } from '../../oracle/judged-keys.js'
import { underWay } from '../../readings/key-record.js'

/** Half a second: a target that counts a failed request back does so just after it has answered. */
const countedBackMs = 500

/** The admissions that show how much of the quota remains. */
export const showsLeft = ({ record, window }: JudgedKey, i: number): boolean =>
  record.status[i] === 200 && record.ordinary[i] === 1 && record.limit[i] === window.limit && record.remaining[i] >= 0

/** Of two rows, whether a request may have been under way between them that the target has counted back since. */
export const countingBack = ({ record }: JudgedKey): ((first: number, second: number) => boolean) => {
  const failed = underWay(record, (i) => record.status[i] !== 200 && record.status[i] !== 429)
  return (first, second) => failed(record.sentMs[first] - countedBackMs, record.receivedMs[second])
}

/** Limiters whose quota is no whole number: what they show of it may be rounded up. */
const fractional: ReadonlySet<ModelName> = new Set(['token-bucket', 'gcra'])

/**
 * Whether only limiters explain a key that count in whole requests. The oracle passes no key that others spend, so that what
 * is lacking was nobody else's.
 */
export const countsWhole = ({ judgement, window }: JudgedKey): boolean =>
  judgement?.verdict === 'pass' &&
  !judgement.models.some((model) => fractional.has(model)) &&
  window.limit !== window.longer?.limit
