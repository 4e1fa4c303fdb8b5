import type { Evidence } from '../evidence/evidence.js'
import type { BanRow } from '../report/model.js'
import type { CheckResult } from '../runner/judge.js'
import type { Finding, FindingCode, FindingFacts } from '../verdict/verdict.js'

/** When the answer came that the first witness names, where that is a row of a ledger; else null. */
const heardAt = ({ ledgers }: Evidence, { witnesses: [witness] }: Finding): number | null => {
  if (!witness || 'id' in witness) return null
  const us = ledgers.find(({ head }) => head.id === witness.ledger)?.rows.receivedUs[witness.row]
  return us === undefined || Number.isNaN(us) ? null : us / 1000
}

/** The facts of a finding with this code; undefined for any other finding. */
const factsAs = <Code extends FindingCode>({ code, facts }: Finding, wanted: Code): FindingFacts[Code] | undefined =>
  code === wanted ? (facts as FindingFacts[Code]) : undefined

const unseen = { startedAt: null, status: null, refusedBefore: null, headers: [], lengthMs: null, askedMeanwhile: null }

const rowOf = (evidence: Evidence, finding: Finding): BanRow | undefined => {
  const seen = factsAs(finding, 'ban-seen')
  if (seen) {
    const { plan, status, refusedBefore, headers, lengthMs, askedMeanwhile } = seen
    const told = { plan, status, refusedBefore, lengthMs, askedMeanwhile, headers: [...headers] }
    return { ...told, behaviour: 'hammering', startedAt: heardAt(evidence, finding) }
  }
  const none = factsAs(finding, 'no-ban-seen')
  if (none) return { ...unseen, plan: none.plan, behaviour: 'hammering', refusedBefore: none.refused }
  const obedient = factsAs(finding, 'obedient-banned')
  if (!obedient) return undefined
  const { plan, status } = obedient
  return { ...unseen, plan, status, behaviour: 'compliant', startedAt: heardAt(evidence, finding) }
}

/** A row for every ban that a check found, and for every try that set none off. */
export const banRows = (evidence: Evidence, checks: readonly CheckResult[]): BanRow[] =>
  checks.flatMap(({ finding }) => rowOf(evidence, finding) ?? [])
