import type { QuotaSpec } from '../contract/api-contract.js'
import { outcomes } from '../readings/history.js'
import { type CountedQuota, someRefusal } from './counted-quota.js'
import { nobody, type Rows } from './rows.js'

const [mostRequests, several] = [256, 254]

/** The number of a row's partition (what the quota counts by); 0 if the row lacks it. */
const partitions = (by: QuotaSpec['by']): ((rows: Rows, row: number) => number) => {
  if (by === 'address') return ({ address }, row) => address[row]
  if (by === 'credential') return ({ key }, row) => key[row]
  const numbers = new Map<number, number>()
  return ({ key, request }, row) => {
    if (key[row] === 0 || request[row] === nobody) return 0
    const of = key[row] * mostRequests + request[row]
    const known = numbers.get(of)
    if (known !== undefined) return known
    numbers.set(of, numbers.size + 1)
    return numbers.size
  }
}

/** Counts the outcomes of each key's requests for a quota. */
export const keyTotals = (by: QuotaSpec['by']) => {
  const numberOf = partitions(by)
  const counts = { admitted: [] as number[], refused: [] as number[], unknown: [] as number[], most: [] as number[] }
  // 0 until a plan is known, then its place plus one.
  const plans: number[] = []

  const room = (size: number): void => {
    for (const column of [...Object.values(counts), plans]) while (column.length < size) column.push(0)
  }

  const countUp = (key: number, outcome: number, plan: number): void => {
    const kind =
      outcome === outcomes.admitted
        ? 'admitted'
        : outcome === outcomes.refused || outcome === someRefusal
          ? 'refused'
          : 'unknown'
    counts[kind][key] += 1
    if (plan === nobody || plans[key] === plan + 1) return
    plans[key] = plans[key] === 0 ? plan + 1 : several + 1
  }

  return {
    /**
     * For each key, the requests of a batch that count, in order of sending; those from `keptRows` on are new, and
     * counted. `plan`: the place of its credential; {@link nobody} if the log names none, or several.
     */
    *group(all: Rows, keptRows: number, counted: CountedQuota) {
      const numbers = new Uint32Array(all.size)
      let highest = 0
      for (let row = 0; row < all.size; row += 1) {
        const isCounted = counted.outcomeOf(all.request[row], all.status[row]) !== outcomes.excused
        numbers[row] = isCounted ? numberOf(all, row) : 0
        highest = Math.max(highest, numbers[row])
      }
      room(highest + 1)
      const ends = new Uint32Array(highest + 1)
      for (let row = 0; row < all.size; row += 1) if (numbers[row] > 0) ends[numbers[row]] += 1
      for (let key = 1; key <= highest; key += 1) ends[key] += ends[key - 1]
      const starts = new Uint32Array(highest + 1)
      starts.set(ends.subarray(0, highest), 1)
      const places = starts.slice()
      const ordered = new Uint32Array(ends[highest])
      for (let row = 0; row < all.size; row += 1) {
        const key = numbers[row]
        if (key === 0) continue
        ordered[places[key]] = row
        places[key] += 1
        if (row >= keptRows) countUp(key, counted.outcomeOf(all.request[row], all.status[row]), all.plan[row])
      }
      for (let key = 1; key <= highest; key += 1) {
        const rows = ordered.subarray(starts[key], ends[key])
        if (rows.length === 0) continue
        let firstNewMs = Number.POSITIVE_INFINITY
        let isInOrder = true
        for (let i = 0; i < rows.length; i += 1) {
          if (rows[i] >= keptRows) firstNewMs = Math.min(firstNewMs, all.sentMs[rows[i]])
          if (i > 0 && all.sentMs[rows[i]] < all.sentMs[rows[i - 1]]) isInOrder = false
        }
        if (!isInOrder) rows.sort((a, b) => all.sentMs[a] - all.sentMs[b])
        const plan = plans[key] === 0 || plans[key] === several + 1 ? nobody : plans[key] - 1
        yield { key, rows, plan, firstNewMs }
      }
    },
    /** Notes and returns the most that was certainly admitted within one window; infinity if requests have costs. */
    fullest(all: Rows, rows: Uint32Array, key: number, counted: CountedQuota): number {
      const admitted = rows.filter((row) => counted.outcomeOf(all.request[row], all.status[row]) === outcomes.admitted)
      const received = Float64Array.from(admitted, (row) => all.receivedMs[row]).sort()
      let [most, answered] = [0, 0]
      for (let i = 0; i < admitted.length; i += 1) {
        const untilMs = all.sentMs[admitted[i]] + counted.windowMs
        while (answered < received.length && received[answered] <= untilMs) answered += 1
        most = Math.max(most, answered - i)
      }
      counts.most[key] = Math.max(counts.most[key], most)
      return counted.hasCosts ? Number.POSITIVE_INFINITY : most
    },
    of: (key: number) => ({
      admitted: counts.admitted[key],
      refused: counts.refused[key],
      unknown: counts.unknown[key],
      most: counts.most[key],
    }),
    refusedOf: (key: number) => counts.refused[key],
    keys: () =>
      [...counts.admitted.keys()].filter((key) => counts.admitted[key] + counts.refused[key] + counts.unknown[key] > 0),
  }
}
