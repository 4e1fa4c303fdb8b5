import type { KeyRecord } from './key-record.js'

/** Fewer pairs than this can't tell somebody else's spending from a limiter that counts each request more than once. */
const leastPairs = 3

/** By how much Remaining fell between two answers in a row that had the key to themselves, from before to after. */
const fallsAlone = (record: KeyRecord): number[] => {
  const falls: number[] = []
  let heardBefore = Number.NEGATIVE_INFINITY
  for (let i = 0; i + 1 < record.size; i += 1) {
    const [first, second] = [record.receivedMs[i], record.receivedMs[i + 1]]
    const isPlain = record.ordinary[i] === 1 && record.ordinary[i + 1] === 1 && record.limit[i] === record.limit[i + 1]
    const isPair = isPlain && record.status[i] === 200 && record.status[i + 1] === 200
    const isAlone =
      heardBefore <= record.sentMs[i] &&
      first <= record.sentMs[i + 1] &&
      (i + 2 === record.size || second <= record.sentMs[i + 2])
    const fall = record.remaining[i] - record.remaining[i + 1]
    if (isPair && isAlone && fall > 0) falls.push(fall)
    heardBefore = Math.max(heardBefore, Number.isNaN(first) ? Number.POSITIVE_INFINITY : first)
  }
  return falls
}

/**
 * Whether nobody else spends the key, as far as Remaining tells: between two answers in a row, with nothing else under
 * way, it never falls by more than one. Where every pair falls by the same larger step, that is the limiter's doing.
 */
export const isQuiet = (record: KeyRecord): boolean => {
  const falls = fallsAlone(record)
  const tooFar = falls.filter((fall) => fall > 1)
  if (tooFar.length === 0) return true
  return falls.length >= leastPairs && tooFar.length === falls.length && new Set(falls).size === 1
}
