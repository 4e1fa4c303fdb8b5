import { type ModelName, modelNames } from '../../contract/limiter-models.js'
import type { JudgedKey } from '../judged-keys.js'
import type { StatementBreach } from './day-breach.js'

const buckets: readonly ModelName[] = ['token-bucket', 'gcra']

/**
 * Whether every refusal that names the moment may speak of a bucket: of its next token, which is there W/L later at the
 * most, or of the bucket full again, which takes W. Neither is the end of a window. A bucket of 1,000 a day that refuses has a
 * token within 86.4 s, and may name that moment 20 times in a row.
 */
const maySpeakOfBucket = ({ stated }: StatementBreach, { record, window }: JudgedKey): boolean => {
  const tokenMs = window.dayMs / window.quota.longer
  return stated.resets
    .filter((i) => record.status[i] === 429)
    .every((i) => {
      const [leastMs, mostMs] = [stated.endsMs.from - record.receivedMs[i], stated.endsMs.to - record.sentMs[i]]
      return leastMs <= tokenMs || (leastMs <= window.dayMs && mostMs >= window.dayMs - tokenMs)
    })
}

/** Whether the stated day may have begun with the run's first request: nothing was spent in a window before it. */
const mayBeginWithRun = ({ stated: { beganMs } }: StatementBreach, { record }: JudgedKey): boolean =>
  beganMs.from <= record.receivedMs[0] && record.sentMs[0] <= beganMs.to

/**
 * The models that a broken statement of the day refutes. A bucket's moments may be no statement of a window, and a sliding
 * counter may refuse early in a day, for what was spent in that before.
 */
export const boundByStatement = (breach: StatementBreach, key: JudgedKey): readonly ModelName[] => {
  const carriesOver = breach.reason === 'early-refusal' && !mayBeginWithRun(breach, key)
  const speaksOfBucket = maySpeakOfBucket(breach, key)
  const isFree = (name: ModelName) =>
    name === 'sliding-counter' ? carriesOver : buckets.includes(name) && speaksOfBucket
  return modelNames.filter((name) => !isFree(name))
}
