import type { FindingOf } from '../checks/framework/check.js'
import type { banCheck } from '../checks/throttle/ban.js'
import type { compliantNotBanned } from '../checks/throttle/compliant-not-banned.js'
import type { Evidence } from '../evidence/evidence.js'
import { type Ledger, lastAnswerUs } from '../evidence/ledger.js'
import { isAdmitted } from '../evidence/steady-share.js'
import { viewOf } from '../readings/quota-views.js'
import type { BackoffRow, BanRow } from '../report/model.js'
import type { CheckResult } from '../run/judge.js'
import type { Finding } from '../verdict/verdict.js'
import { mostBars } from './timelines.js'

type Behaviour = BackoffRow['behaviour']

/** How the clients of a load behave; undefined for loads without clients. Hammering loads say so in their ids. */
export const behaviourOf = ({ head }: Ledger): Behaviour | undefined => {
  if (head.probe === 'ban') return 'hammering'
  if (head.probe !== 'compliant-clients') return undefined
  return head.id.startsWith('hammering-') ? 'hammering' : 'compliant'
}

const attemptsIn = (loads: readonly Ledger[], from: number, stretchMs: number): BackoffRow['attempts'] => {
  const stretches = new Map<number, [number, number, number]>()
  for (const { rows } of loads) {
    for (let i = 0; i < rows.length; i += 1) {
      const at = Math.floor((rows.sentUs[i] / 1000 - from) / stretchMs)
      const counts = stretches.get(at) ?? [0, 0, 0]
      counts[isAdmitted(rows.status[i]) ? 0 : rows.status[i] === 429 ? 1 : 2] += 1
      stretches.set(at, counts)
    }
  }
  return [...stretches]
    .sort(([a], [b]) => a - b)
    .map(([at, counts]): BackoffRow['attempts'][number] => [at * stretchMs, ...counts])
}

/** How many requests the clients of a key had to get served: the number planned for the compliant ones applies to all. */
const workOf = ({ ledgers }: Evidence, { head }: Ledger): number | null => {
  const compliant = ledgers.filter((each) => behaviourOf(each) === 'compliant' && each.head.key === head.key)
  if (head.probe !== 'compliant-clients' || compliant.length === 0) return null
  return Math.max(...compliant.map((each) => each.head.counts.planned))
}

const rowOf = (evidence: Evidence, key: string, behaviour: Behaviour, loads: readonly Ledger[]): BackoffRow => {
  const { plan = 'none', quota } = evidence.run.keys.find(({ name }) => name === key) ?? {}
  const sorted = loads.toSorted((a, b) => a.rows.sentUs[0] - b.rows.sentUs[0])
  const [first] = sorted
  const startedAt = first.rows.sentUs[0] / 1000
  const endedAt = Math.max(...sorted.map(({ rows }) => lastAnswerUs(rows, rows.sentUs[rows.length - 1]) / 1000))
  const stretchMs = Math.max(1, Math.ceil((endedAt - startedAt) / mostBars))
  const attempts = attemptsIn(sorted, startedAt, stretchMs)
  const total = (column: 1 | 2 | 3) => attempts.reduce((sum, row) => sum + row[column], 0)
  const work = workOf(evidence, first)
  const windowMs = viewOf(evidence).windowMs
  return {
    plan,
    probe: first.head.probe,
    behaviour,
    clients: new Set(first.rows.connection).size,
    work,
    sent: total(1) + total(2) + total(3),
    served: total(1),
    refused: total(2),
    wasted: total(2) + total(3),
    rounds: sorted.length,
    startedAt,
    endedAt,
    idealMs: work === null || !quota ? null : Math.round((Math.ceil(work / quota.limit) - 1) * windowMs),
    stretchMs,
    attempts,
  }
}

/** A row for every key, probe and client behaviour that was played: what the clients attempted, and what they got. */
export const backoffRows = (evidence: Evidence): BackoffRow[] => {
  const groups = new Map<string, { key: string; behaviour: Behaviour; loads: Ledger[] }>()
  for (const ledger of evidence.ledgers) {
    const behaviour = behaviourOf(ledger)
    const { key, probe } = ledger.head
    if (!behaviour || key === null || ledger.rows.length === 0) continue
    const name = `${key} ${probe} ${behaviour}`
    const group = groups.get(name) ?? { key, behaviour, loads: [] }
    groups.set(name, { ...group, loads: [...group.loads, ledger] })
  }
  const order = evidence.run.keys.map(({ name }) => name)
  return [...groups.values()]
    .toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
    .map(({ key, behaviour, loads }) => rowOf(evidence, key, behaviour, loads))
}

/** When the answer of the first witness came, if that is a ledger row; else null. */
const heardAt = ({ ledgers }: Evidence, { witnesses: [witness] }: Finding): number | null => {
  if (!witness || 'id' in witness) return null
  const us = ledgers.find(({ head }) => head.id === witness.ledger)?.rows.receivedUs[witness.row]
  return us === undefined || Number.isNaN(us) ? null : us / 1000
}

const unseen = { startedAt: null, status: null, refusedBefore: null, headers: [], lengthMs: null, askedMeanwhile: null }

const banRow = (evidence: Evidence, finding: Finding): BanRow | undefined => {
  const { code, facts } = finding as FindingOf<typeof banCheck> | FindingOf<typeof compliantNotBanned>
  if (code === 'ban-seen') {
    const { plan, status, refusedBefore, headers, lengthMs, askedMeanwhile } = facts
    const told = { plan, status, refusedBefore, lengthMs, askedMeanwhile, headers: [...headers] }
    return { ...told, behaviour: 'hammering', startedAt: heardAt(evidence, finding) }
  }
  if (code === 'no-ban-seen')
    return { ...unseen, plan: facts.plan, behaviour: 'hammering', refusedBefore: facts.refused }
  if (code !== 'obedient-banned') return undefined
  const { plan, status } = facts
  return { ...unseen, plan, status, behaviour: 'compliant', startedAt: heardAt(evidence, finding) }
}

/** A row for every ban that a check found, and for every attempt that triggered none. */
export const banRows = (evidence: Evidence, checks: readonly CheckResult[]): BanRow[] =>
  checks.flatMap(({ finding }) => banRow(evidence, finding) ?? [])
