import type { Evidence } from '../evidence/evidence.js'
import { joinRows, type Ledger, type LedgerOrigin, type LedgerRows, ledgerFlags } from '../evidence/ledger.js'
import { isAdmitted, isRefused, middleOf, steadyShare } from '../evidence/steady-share.js'
import type { CostRow, LoadRow, VantageRow } from '../report/model.js'
import type { Gates } from '../run/options/gates.js'
import { latencyFromPlanned, latencyFromSent } from '../wire/load/latency.js'

/** With fewer answers than this, a median means little. */
const enoughAnswers = 20

const shareOf = (loads: readonly Ledger[]): Pick<CostRow, 'share' | 'withheld'> => {
  const [admitted, refused] = [middleOf(loads, isAdmitted), middleOf(loads, isRefused)]
  if (Math.min(admitted.count, refused.count) < enoughAnswers || admitted.us === 0)
    return { share: null, withheld: false }
  const share = steadyShare(refused, admitted)
  return { share: share === null ? null : Math.round(share * 1000) / 1000, withheld: share === null }
}

const answersOf = (loads: readonly Ledger[]) => latencyFromSent(joinRows(loads.map(({ rows }) => rows)))

/** The number of a load's round: 2 for `cost-2-free`. */
const roundOf = ({ head: { id } }: Ledger): number => Number(/^cost-(\d+)-/.exec(id)?.[1] ?? 0)

const roundRows = (loads: readonly Ledger[]): CostRow['rounds'] =>
  [...new Set(loads.map(roundOf))]
    .sort((a, b) => a - b)
    .map((round) => {
      const own = loads.filter((each) => roundOf(each) === round)
      return { round, ...answersOf(own), stoodStillMs: Math.max(...own.map(({ head }) => head.stoodStillMs)) }
    })

/** How long an answer and a refusal took on each key, over all loads of the profile `cost` only. */
export const limiterCosts = ({ run, ledgers }: Evidence): CostRow[] => {
  // In a view, only its own loads have this name.
  const told = ledgers.filter(({ head }) => head.probe === 'cost')
  return [...new Set(told.map(({ head }) => head.key))].map((key) => {
    const loads = told.filter(({ head }) => head.key === key)
    const plan = run.keys.find(({ name }) => name === key)?.plan ?? 'none'
    return { plan, ...answersOf(loads), ...shareOf(loads), rounds: roundRows(loads) }
  })
}

/** The figures, such as `latencyMs.admitted.p99`, that gates bound in every stretch of a load, with the stretch length. */
export const askedStretches = ({ level: _, plans, ...limits }: Gates) => {
  const all = [limits, ...Object.values(plans ?? {})].flatMap((each) => Object.entries(each ?? {}))
  const asked = all.flatMap(([figure, bound]) =>
    typeof bound === 'object' ? [{ figure, everyMs: bound.everyMs }] : [],
  )
  return asked.filter(
    (each, index) =>
      asked.findIndex(({ figure, everyMs }) => figure === each.figure && everyMs === each.everyMs) === index,
  )
}

/** Rows `from` to `to`, excluding `to`, without copying. */
const part = ({ length: _, ...columns }: LedgerRows, from: number, to: number): LedgerRows => {
  const parts = Object.entries(columns).map(([name, column]) => [name, column.subarray(from, to)])
  return { length: to - from, ...Object.fromEntries(parts) }
}

/** The rows sent in each stretch of `everyMs`, starting at the load's first request. */
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
  const latency = clock === 'latencyMs' ? latencyFromSent(rows) : latencyFromPlanned(rows)
  const at = latency[outcome as keyof typeof latency]
  return at?.[percentile as 'p50' | 'p90' | 'p99' | 'max'] ?? null
}

/** For each requested figure, the stretch of a load in which it was highest; left out if not measured. */
export const worstStretches = (rows: LedgerRows, asked: ReturnType<typeof askedStretches>): LoadRow['worstStretches'] =>
  asked.flatMap(({ figure, everyMs }) => {
    const measured = stretches(rows, everyMs).flatMap((each) => {
      const value = read(each, figure)
      return value === null ? [] : [{ figure, everyMs, startedAt: each.sentUs[0] / 1000, value }]
    })
    const [worst] = measured.sort((a, b) => b.value - a.value)
    return worst ? [worst] : []
  })

const outcomesIn = ({ rows }: Ledger) => {
  const counts = { admitted: 0, refused: 0, unknown: 0, untold: 0 }
  for (let i = 0; i < rows.length; i += 1) {
    const status = rows.status[i]
    if (status >= 200 && status < 300) counts.admitted += 1
    else if (status === 429) counts.refused += 1
    else counts.unknown += 1
    if ((rows.flags[i] & ledgerFlags.untold) !== 0) counts.untold += 1
  }
  return counts
}

const rowOf = (ledger: Ledger, origin: LedgerOrigin): VantageRow => ({
  agent: origin.agent,
  name: origin.group,
  target: origin.target,
  key: ledger.head.key ?? '',
  profile: ledger.head.probe,
  planned: ledger.head.counts.planned,
  sent: ledger.rows.length,
  ...outcomesIn(ledger),
  clockErrorMs: origin.clockErrorMs,
  isClockKept: origin.isClockKept,
})

const summed = ['planned', 'sent', 'admitted', 'refused', 'unknown', 'untold'] as const

const joined = (one: VantageRow, other: VantageRow): VantageRow => ({
  ...one,
  ...Object.fromEntries(summed.map((column) => [column, one[column] + other[column]])),
  clockErrorMs: Math.max(one.clockErrorMs, other.clockErrorMs),
  isClockKept: one.isClockKept && other.isClockKept,
})

/** By profile and key, in the order of playing, and within these by agent. */
const inOrder = (rows: readonly VantageRow[]): VantageRow[] => {
  const groups = [...new Set(rows.map(({ key, profile }) => `${profile} ${key}`))]
  const place = ({ key, profile }: VantageRow) => groups.indexOf(`${profile} ${key}`)
  return [...rows].sort((a, b) => place(a) - place(b) || a.agent.localeCompare(b.agent, 'en', { numeric: true }))
}

/** What each agent saw: a row for each key and profile that it sent; empty if the run's own machine sent everything. */
export const vantageRows = ({ ledgers }: Evidence): VantageRow[] => {
  const rows = new Map<string, VantageRow>()
  for (const ledger of ledgers) {
    const { origin, key, probe } = ledger.head
    if (!origin) continue
    const name = JSON.stringify([key, probe, origin.agent])
    const [known, row] = [rows.get(name), rowOf(ledger, origin)]
    rows.set(name, known ? joined(known, row) : row)
  }
  return inOrder([...rows.values()])
}
