import type { AuditHead } from '../../evidence/arrivals.js'
import { shortOfHeadline } from '../../report/client/grade-headline.js'
import type { ClientReport } from '../../report/client/model.js'
import type { Outcome } from '../../verdict/outcome.js'
import { exitCodes } from '../exit-code.js'

/** The letters from A to F stand in the order of the alphabet: the lower the grade, the greater its letter. */
const outcomeAgainst = ({ best, worst }: ClientReport['grade'], asked: string): Outcome =>
  worst <= asked ? 'pass' : best > asked ? 'fail' : 'inconclusive'

/**
 * Holds what would have passed against the grade that was asked for. It passes where even the worst that is possible
 * meets it, fails where not even the best does, and is inconclusive between. What fails or is open by itself stays so.
 */
export const heldAgainst = (
  report: ClientReport,
  asked: string | undefined,
  cases: AuditHead['cases'],
): ClientReport => {
  if (asked === undefined || report.run.exitCode !== exitCodes.pass) return report
  const outcome = outcomeAgainst(report.grade, asked)
  if (outcome === 'pass') return report
  const headline = shortOfHeadline(asked, report.grade, cases)
  return { ...report, outcome, headline, run: { ...report.run, exitCode: exitCodes[outcome] } }
}
