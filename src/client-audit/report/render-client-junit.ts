import { type JunitCase, junitDocument, kindOfCheck } from '../../report/formats/junit.js'
import { breaksRun } from '../../report/wording/summary.js'
import type { ClientReport } from './model.js'

const caseOf = (report: ClientReport, check: ClientReport['checks'][number]): JunitCase => {
  const { verdict, message } = check
  const kind = kindOfCheck(verdict, breaksRun(report, check.level))
  const warns = kind === 'pass' && (verdict === 'fail' || verdict === 'inconclusive')
  return {
    name: `${check.id} (${check.clauses.join(', ')})`,
    className: 'quotaspec.Client',
    kind,
    type: check.code,
    message,
    detail: [check.promise],
    ...(warns && { output: [`Warning: ${message}`] }),
  }
}

/** The grade, which may fall short of the one that was asked for where every check holds. */
const gradeCase = ({ outcome, headline }: ClientReport): JunitCase => ({
  name: 'grade',
  className: 'quotaspec.Client',
  kind: kindOfCheck(outcome, true),
  type: 'grade',
  message: headline,
  detail: [],
})

/** The report as JUnit XML: a test case for the grade and for each check. What fails the audit is a failure, what leaves it open an error. */
export const renderClientJunit = (report: ClientReport): string =>
  junitDocument('quotaspec client', report.run, [
    {
      name: `quotaspec client ${report.client.command}`,
      cases: [gradeCase(report), ...report.checks.map((check) => caseOf(report, check))],
    },
  ])
