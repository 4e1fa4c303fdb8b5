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
