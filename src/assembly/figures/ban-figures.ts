import type { FindingOf } from '../../checks/framework/check.js'
import type { banCheck } from '../../checks/throttle/ban.js'
import type { compliantNotBanned } from '../../checks/throttle/compliant-not-banned.js'
import type { Evidence } from '../../evidence/evidence.js'
import type { BanRow } from '../../report/model.js'
import type { CheckResult } from '../../run/judging/judge.js'
import type { Finding } from '../../verdict/verdict.js'

/** When the answer came that the first witness names, where that is a row of a ledger; else null. */
const heardAt = ({ ledgers }: Evidence, { witnesses: [witness] }: Finding): number | null => {
  if (!witness || 'id' in witness) return null
  const us = ledgers.find(({ head }) => head.id === witness.ledger)?.rows.receivedUs[witness.row]
  return us === undefined || Number.isNaN(us) ? null : us / 1000
}

/** What the two checks that know of bans can find; whatever else was found is none of these. */
type Seen = FindingOf<typeof banCheck> | FindingOf<typeof compliantNotBanned>

const unseen = { startedAt: null, status: null, refusedBefore: null, headers: [], lengthMs: null, askedMeanwhile: null }

const rowOf = (evidence: Evidence, finding: Finding): BanRow | undefined => {
  const { code, facts } = finding as Seen
  if (code === 'ban-seen') {
    const { plan, status, refusedBefore, headers, lengthMs, askedMeanwhile } = facts
    const told = { plan, status, refusedBefore, lengthMs, askedMeanwhile, headers: [...headers] }
    return { ...told, behaviour: 'hammering', startedAt: heardAt(evidence, finding) }
  }
  if (code === 'no-ban-seen') {
    return { ...unseen, plan: facts.plan, behaviour: 'hammering', refusedBefore: facts.refused }
  }
  if (code !== 'obedient-banned') return undefined
  const { plan, status } = facts
  return { ...unseen, plan, status, behaviour: 'compliant', startedAt: heardAt(evidence, finding) }
}

/** A row for every ban that a check found, and for every try that set none off. */
export const banRows = (evidence: Evidence, checks: readonly CheckResult[]): BanRow[] =>
  checks.flatMap(({ finding }) => rowOf(evidence, finding) ?? [])
