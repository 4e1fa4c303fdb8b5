import type { KeyRecord } from '../../readings/key-record.js'

/** More nodes behind one address are rare. */
const mostShown = 16

/**
 * How many counts the shown Remaining comes from: of one window 41, 41, 40, 41, 40, 41, 40 is said by four. A value that stands
 * still, or comes in steps, is no count of a node: most values come several times, and have a neighbour that does.
 */
export const countsShown = (record: KeyRecord, limit: number): number | undefined => {
  const windows = new Map<number, Map<number, number>>()
  for (let i = 0; i < record.size; i += 1) {
    if (record.status[i] !== 200 || record.limit[i] !== limit) continue
    const times = windows.get(record.reset[i]) ?? new Map<number, number>()
    windows.set(record.reset[i], times.set(record.remaining[i], (times.get(record.remaining[i]) ?? 0) + 1))
  }
  const [fullest] = [...windows.values()].sort((a, b) => b.size - a.size)
  if (!fullest || fullest.size < 3) return undefined
  const often = [...fullest].filter(([left, times]) => times > 1 && (fullest.has(left - 1) || fullest.has(left + 1)))
  const most = Math.max(...fullest.values())
  return often.length > fullest.size / 2 && most <= mostShown ? most : undefined
}
