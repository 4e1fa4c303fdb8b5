import type { KeyRecord } from './key-record.js'

/** Fewer pairs than this can't tell somebody else's spending from a limiter that counts each request more than once. */
const leastPairs = 3

/** The same of a step that sets in later: somebody else could have begun then, but would not keep time with us for long. */
const leastAfterChange = 10

/** By how much Remaining fell between two answers in a row that had the key to themselves, from before to after. */
interface UnexplainedFall {
  readonly limit: number
  readonly by: number
  /** Whether nothing was left after it, so that it could not fall further. */
  readonly toZero: boolean
}

const fallsAlone = (record: KeyRecord): UnexplainedFall[] => {
  const falls: UnexplainedFall[] = []
  let heardBefore = Number.NEGATIVE_INFINITY
  for (let i = 0; i + 1 < record.size; i += 1) {
    const [first, second] = [record.receivedMs[i], record.receivedMs[i + 1]]
    const isPlain = record.ordinary[i] === 1 && record.ordinary[i + 1] === 1 && record.limit[i] === record.limit[i + 1]
    const isPair = isPlain && record.status[i] === 200 && record.status[i + 1] === 200
    const isAlone =
      heardBefore <= record.sentMs[i] &&
      first <= record.sentMs[i + 1] &&
      (i + 2 === record.size || second <= record.sentMs[i + 2])
    const by = record.remaining[i] - record.remaining[i + 1]
    if (isPair && isAlone && by > 0) falls.push({ limit: record.limit[i], by, toZero: record.remaining[i + 1] === 0 })
    heardBefore = Math.max(heardBefore, Number.isNaN(first) ? Number.POSITIVE_INFINITY : first)
  }
  return falls
}

/** Falls of one step all along; or of one request each, and from some moment on of a larger step for good. */
const isRegular = (falls: readonly UnexplainedFall[]): boolean => {
  const larger = falls.findIndex(({ by }) => by > 1)
  if (larger === -1) return true
  const [before, after] = [falls.slice(0, larger), falls.slice(larger)]
  const least = before.length === 0 ? leastPairs : leastAfterChange
  const step = after[0].by
  return after.length >= least && after.every(({ by, toZero }) => by === step || (toZero && by < step))
}

/**
 * Whether nobody else spends the key, as far as Remaining tells: between two answers in a row, with nothing else under
 * way, it never falls by more than one. Where in one of the key's windows every pair falls by the same larger step, from
 * the beginning or from some moment on, that is the limiter's doing.
 */
export const isQuiet = (record: KeyRecord): boolean => {
  const falls = fallsAlone(record)
  const limits = new Set(falls.map(({ limit }) => limit))
  return [...limits].every((limit) => isRegular(falls.filter((each) => each.limit === limit)))
}
