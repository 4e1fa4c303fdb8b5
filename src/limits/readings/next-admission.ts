import type { KeyRecord } from './key-record.js'

/** The first index at or after which a request was sent at the moment or later. */
const firstSentFrom = ({ sentMs, size }: KeyRecord, atMs: number): number => {
  let [from, to] = [0, size]
  while (from < to) {
    const middle = (from + to) >> 1
    if (sentMs[middle] < atMs) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * Finds, for an answer, the first plain request that was sent after it had come and was admitted; undefined where none
 * was. By then the quota was there again: whatever a refusal had promised for that moment or a later one was kept.
 */
export const admissionAfter = (record: KeyRecord): ((answer: number) => number | undefined) => {
  const next = new Int32Array(record.size + 1).fill(-1)
  for (let i = record.size - 1; i >= 0; i -= 1) {
    const isAdmitted = record.status[i] === 200 && record.ordinary[i] === 1
    next[i] = isAdmitted ? i : next[i + 1]
  }
  return (answer) => {
    const found = next[firstSentFrom(record, record.receivedMs[answer])]
    return found < 0 ? undefined : found
  }
}
