import type { LedgerRows } from '../../evidence/ledger.js'
import type { LoadRow } from '../../report/model.js'
import type { Gates } from '../../run/options/gates.js'
import { type Latency, latencyFromPlanned, latencyFromSent } from '../../wire/load/latency.js'

export interface AskedStretch {
  /** `latencyMs.admitted.p99` */
  readonly figure: string
  readonly everyMs: number
}

/** What gates ask for in every stretch of a load: figures, each with the length of its stretches. */
export const askedStretches = ({ level: _, plans, ...limits }: Gates): AskedStretch[] => {
  const all = [limits, ...Object.values(plans ?? {})].flatMap((each) => Object.entries(each ?? {}))
  const asked = all.flatMap(([figure, bound]) =>
    typeof bound === 'object' ? [{ figure, everyMs: bound.everyMs }] : [],
  )
  return asked.filter(
    (each, index) =>
      asked.findIndex(({ figure, everyMs }) => figure === each.figure && everyMs === each.everyMs) === index,
  )
}

/** Rows `from` to `to`, `to` excluded, without copying. */
const part = (rows: LedgerRows, from: number, to: number): LedgerRows => ({
  length: to - from,
  plannedUs: rows.plannedUs.subarray(from, to),
  sentUs: rows.sentUs.subarray(from, to),
  receivedUs: rows.receivedUs.subarray(from, to),
  limit: rows.limit.subarray(from, to),
  remaining: rows.remaining.subarray(from, to),
  reset: rows.reset.subarray(from, to),
  retryAfter: rows.retryAfter.subarray(from, to),
  status: rows.status.subarray(from, to),
  connection: rows.connection.subarray(from, to),
  flags: rows.flags.subarray(from, to),
})

/** The rows that were sent in each stretch of so many milliseconds, from the load's first request on. */
const stretches = (rows: LedgerRows, everyMs: number): LedgerRows[] => {
  const parts: LedgerRows[] = []
  for (let from = 0; from < rows.length; ) {
    const until = rows.sentUs[from] - ((rows.sentUs[from] - rows.sentUs[0]) % (everyMs * 1000)) + everyMs * 1000
    let to = from + 1
    while (to < rows.length && rows.sentUs[to] < until) to += 1
    parts.push(part(rows, from, to))
    from = to
  }
  return parts
}

const read = (rows: LedgerRows, figure: string): number | null => {
  const [clock, outcome, percentile] = figure.split('.')
  const latency: Latency = clock === 'latencyMs' ? latencyFromSent(rows) : latencyFromPlanned(rows)
  const at = latency[outcome as keyof Latency]
  return at?.[percentile as 'p50' | 'p90' | 'p99' | 'max'] ?? null
}

/** For each figure asked for, the stretch of a load in which it was highest; left out where nothing was measured. */
export const worstStretches = (rows: LedgerRows, asked: readonly AskedStretch[]): LoadRow['worstStretches'] =>
  asked.flatMap(({ figure, everyMs }) => {
    const measured = stretches(rows, everyMs).flatMap((each) => {
      const value = read(each, figure)
      return value === null ? [] : [{ figure, everyMs, startedAt: each.sentUs[0] / 1000, value }]
    })
    const [worst] = measured.sort((a, b) => b.value - a.value)
    return worst ? [worst] : []
  })
