import { counted, formatDuration } from '../../kit/words.js'
import { breaksRun } from '../../report/findings.js'
import { annotationLines, error, warning } from '../../report/formats/annotations.js'
import { type JunitCase, junitDocument, kindOfCheck } from '../../report/formats/junit.js'
import { code, outcomeMark, table, text, verdictMark } from '../../report/formats/markdown.js'
import { atBestOf, foldedReasons, nextInWords, scheduleInWords } from './in-words.js'
import type { ClientReport } from './model.js'

const reasons = (report: ClientReport): string[] => {
  const folded = foldedReasons(report)
  if (folded.length === 0) return []
  const told = folded.flatMap(({ reasons, advice }) => [
    ...reasons.map((each) => {
      const best = atBestOf(report.grade, each)
      const mark = best === 'none' ? 'No grade' : `At best ${best}`
      return `- ${mark}${each.state === 'open' ? ', open' : ''}: ${text(each.sentence)}`
    }),
    ...(advice === null ? [] : [`  - ${text(advice)}`]),
  ])
  const next = nextInWords(report).flatMap((each) => [
    `${text(each.text)}${each.command === undefined ? '' : ` ${code(each.command)}`}`,
    '',
  ])
  return ['### What keeps it from a better grade', '', ...told, '', ...next]
}

/** The report for a pull request or a job summary: the grade, what keeps it from a better one, the clauses. */
export const renderClientMarkdown = (report: ClientReport): string =>
  [
    `## ${outcomeMark[report.outcome]}: ${text(report.headline)}`,
    '',
    `${code(report.client.command)} · ${counted(report.plays.length, 'play')} · ${formatDuration(report.run.durationMs)}`,
    '',
    ...report.notes.flatMap((note) => [text(note), '']),
    ...reasons(report),
    '### Clauses',
    '',
    ...table(
      ['', 'Clause', 'Level', 'What was seen'],
      report.clauses.map(({ id, level, verdict, reason }) => [verdictMark[verdict], text(id), level, text(reason)]),
    ),
    `Its own schedule: ${text(scheduleInWords(report.schedule))}`,
    '',
  ].join('\n')

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

/** The grade as a test case: it may miss the required grade even if every check holds. */
const gradeCase = ({ outcome, headline }: ClientReport): JunitCase => ({
  name: 'grade',
  className: 'quotaspec.Client',
  kind: kindOfCheck(outcome, true),
  type: 'grade',
  message: headline,
  detail: [],
})

/** The report as JUnit XML: a test case for the grade and each check. What fails the audit is a failure; open is an error. */
export const renderClientJunit = (report: ClientReport): string =>
  junitDocument('quotaspec client', report.run, [
    {
      name: `quotaspec client ${report.client.command}`,
      cases: [gradeCase(report), ...report.checks.map((check) => caseOf(report, check))],
    },
  ])

/** An audit as GitHub Actions workflow commands: errors for what fails it, warnings for what is open or only warns. */
export const renderClientAnnotations = (report: ClientReport): string => {
  const broken = report.clauses.filter(({ verdict }) => verdict === 'fail')
  const titleOf = ({ id, sentence }: ClientReport['clauses'][number]) => `${id} ${sentence}`
  const errors = broken
    .filter(({ level }) => breaksRun(report, level))
    .map((clause) => error(titleOf(clause), clause.reason))
  const open = [
    ...report.clauses
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map(({ id, reason }) => warning(`${id} could not be checked`, reason)),
    ...broken.filter(({ level }) => !breaksRun(report, level)).map((clause) => warning(titleOf(clause), clause.reason)),
  ]
  // For a grade below the required one, or nothing to grade, only the headline says why.
  return annotationLines(report, 'quotaspec client', errors, open)
}
