import type { KeyRecord } from './key-record.js'

/**
 * Says of a span of time whether some row of a key may have been under way in it: sent by its end, and not answered before
 * its beginning. What was never answered is under way for ever. O(n) once, O(log n) for each span.
 */
export const underWay = (
  { size, sentMs, receivedMs }: KeyRecord,
  isMeant: (row: number) => boolean,
): ((fromMs: number, untilMs: number) => boolean) => {
  const rows = Array.from({ length: size }, (_, i) => i).filter(isMeant)
  let latest = Number.NEGATIVE_INFINITY
  const lastAnswerMs = rows.map((i) => {
    latest = Math.max(latest, Number.isNaN(receivedMs[i]) ? Number.POSITIVE_INFINITY : receivedMs[i])
    return latest
  })
  return (fromMs, untilMs) => {
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sentMs[rows[middle]] <= untilMs) low = middle + 1
      else high = middle
    }
    return low > 0 && lastAnswerMs[low - 1] >= fromMs
  }
}
