import type { Evidence } from '../../evidence/evidence.js'
import type { Ledger, LedgerOrigin } from '../../evidence/ledger.js'
import { ledgerFlags } from '../../evidence/ledger.js'
import type { VantageRow } from '../../report/model.js'

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

const joined = (one: VantageRow, other: VantageRow): VantageRow => ({
  ...one,
  planned: one.planned + other.planned,
  sent: one.sent + other.sent,
  admitted: one.admitted + other.admitted,
  refused: one.refused + other.refused,
  unknown: one.unknown + other.unknown,
  untold: one.untold + other.untold,
  clockErrorMs: Math.max(one.clockErrorMs, other.clockErrorMs),
  isClockKept: one.isClockKept && other.isClockKept,
})

/** By key and profile, in the order in which they were played, and within these by agent. */
const inOrder = (rows: readonly VantageRow[]): VantageRow[] => {
  const groups = [...new Set(rows.map(({ key, profile }) => `${profile} ${key}`))]
  const place = ({ key, profile }: VantageRow) => groups.indexOf(`${profile} ${key}`)
  return [...rows].sort((a, b) => place(a) - place(b) || a.agent.localeCompare(b.agent, 'en', { numeric: true }))
}

/** What each agent saw, a row for each key and profile that it sent on; none where the run's own machine sent all. */
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
