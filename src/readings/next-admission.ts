import type { KeyRecord } from './key-record.js'

/** The place of the first request that was sent at this moment or later. */
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
 * For an answer: the first ordinary request that was sent after it and admitted; undefined where none was. Quota was
 * there again by then, so that any promise of a refusal for that moment or a later one was kept.
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
