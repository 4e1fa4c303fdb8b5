import type { Check } from '../../checks/framework/check.js'
import { incomplete, obstacle } from '../../checks/framework/unplayed.js'
import { clausesOf } from '../../contract/clauses.js'
import type { Evidence } from '../../evidence/evidence.js'
import { quotaView } from '../../readings/quota-views.js'
import type { Finding } from '../../verdict/verdict.js'
import { type Judged, judgeChecks } from './judge-checks.js'
import { checksOf } from './registry.js'

/** What one check finds: what is in its way, what it says, or why that is not the whole. */
export const judgeOne = (check: Check, whole: Evidence): Finding => {
  const evidence = check.quota === undefined ? whole : quotaView(whole, check.quota)
  const inTheWay = obstacle(check, evidence)
  if (inTheWay) return inTheWay
  const finding = check.judge(evidence)
  const doubt = finding.verdict === 'fail' ? undefined : incomplete(check, evidence)
  return doubt ? { ...doubt, witnesses: finding.witnesses } : finding
}

/** Judges the evidence of a run, live or read back: the same evidence gives the same verdicts. */
export const judge = (evidence: Evidence, checks: readonly Check[] = checksOf(evidence.run)): Judged<Check> =>
  judgeChecks(checks, clausesOf(evidence.run.contract), (check) => judgeOne(check, evidence))
