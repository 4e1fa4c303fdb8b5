import { exitCodes } from '../../assembly/exit-code.js'
import type { AuditHead } from '../../evidence/arrivals.js'
import type { Outcome } from '../../verdict/outcome.js'
import { shortOfHeadline } from './grade-headline.js'
import type { ClientReport } from './model.js'

/** The letters from A to F stand in the order of the alphabet: the lower the grade, the greater its letter. */
const outcomeAgainst = ({ best, worst }: ClientReport['grade'], asked: string): Outcome =>
  worst <= asked ? 'pass' : best > asked ? 'fail' : 'inconclusive'

/** The command that asks for this grade, whatever grade the audit itself was asked for. */
const askingFor = (command: string, asked: string): string => {
  const [flags = '', ...client] = command.split(/(?= -- | --listen)/)
  const before = / --at-least \S+/
  const flag = ` --at-least ${asked}`
  return [before.test(flags) ? flags.replace(before, flag) : flags + flag, ...client].join('')
}

/**
 * Holds what would have passed against the grade that was asked for. It passes where even the worst that is possible
 * meets it, fails where not even the best does, and is inconclusive between. What fails or is open by itself stays so.
 */
export const heldAgainst = (
  judged: ClientReport,
  asked: string | undefined,
  cases: AuditHead['cases'],
): ClientReport => {
  if (asked === undefined) return judged
  const run = { ...judged.run, command: askingFor(judged.run.command, asked) }
  const retry = judged.retry && { ...judged.retry, command: askingFor(judged.retry.command, asked) }
  const report = { ...judged, run, retry }
  const outcome = run.exitCode === exitCodes.pass ? outcomeAgainst(report.grade, asked) : report.outcome
  if (outcome === report.outcome) return report
  const headline = shortOfHeadline(asked, report.grade, cases)
  return { ...report, outcome, headline, run: { ...run, exitCode: exitCodes[outcome] } }
}
