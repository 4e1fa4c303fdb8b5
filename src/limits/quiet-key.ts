import type { KeyRecord } from './key-record.js'

/** Fewer pairs than this can't tell somebody else's spending from a limiter that counts each request more than once. */
const leastPairs = 3

/**
 * Whether nobody else spends the key, as far as Remaining tells: between two answers in a row, with nothing else under
 * way, it never falls by more than one. Where every pair falls by the same larger step, that is the limiter's doing.
 */
export const isQuiet = (record: KeyRecord): boolean => {
  const falls: number[] = []
  let heardUntil = Number.NEGATIVE_INFINITY
  for (let i = 0; i + 1 < record.size; i += 1) {
    heardUntil = Math.max(
      heardUntil,
      Number.isNaN(record.receivedMs[i]) ? Number.POSITIVE_INFINITY : record.receivedMs[i],
    )
    const isPair = record.status[i] === 200 && record.status[i + 1] === 200 && record.limit[i] === record.limit[i + 1]
    const fall = record.remaining[i] - record.remaining[i + 1]
    const isAlone = heardUntil <= record.sentMs[i + 1] && !(record.receivedMs[i + 1] > record.sentMs[i + 2])
    if (isPair && fall > 0 && isAlone) falls.push(fall)
  }
  const tooFar = falls.filter((fall) => fall > 1)
  if (tooFar.length === 0) return true
  return falls.length >= leastPairs && tooFar.length === falls.length && new Set(falls).size === 1
}
