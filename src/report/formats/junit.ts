import { listInWords } from '../../kit/words.js'
import { clip, markupLines, markupText } from '../escape.js'
import { breaksRun, gateInWords, leavesOpen, ruleInWords, waivedNote } from '../findings.js'
import type { CheckRow, Report } from '../model.js'
import { areaName } from '../summary.js'

/** The longest message: CI systems show them in tables. */
const longestMessage = 2_000

type JunitKind = 'pass' | 'failure' | 'error' | 'skipped'

/** One test case, as CI systems show it. It has no time of its own, since checks only read what was recorded. */
export interface JunitCase {
  readonly name: string
  readonly className: string
  readonly kind: JunitKind
  readonly type: string
  readonly message: string
  readonly detail: readonly string[]
  /** What a passing case should say all the same. */
  readonly output?: readonly string[]
}

const attribute = (text: string): string => markupText(clip(text, longestMessage))

const textOf = (lines: readonly string[]): string =>
  lines.map((line) => markupLines(clip(line, longestMessage))).join('\n')

const caseXml = ({ name, className, kind, type, message, detail, output }: JunitCase): string => {
  const head = `    <testcase name="${attribute(name)}" classname="${attribute(className)}" time="0"`
  if (kind === 'pass' && !output) return `${head}/>`
  if (kind === 'pass') return `${head}>\n      <system-out>${textOf(output ?? [])}</system-out>\n    </testcase>`
  const told = `type="${attribute(type)}" message="${attribute(message)}"`
  return `${head}>\n      <${kind} ${told}>${textOf(detail)}</${kind}>\n    </testcase>`
}

const counted = (cases: readonly JunitCase[], of: JunitKind): number => cases.filter(({ kind }) => kind === of).length

const counts = (cases: readonly JunitCase[]): string =>
  `tests="${cases.length}" failures="${counted(cases, 'failure')}" errors="${counted(cases, 'error')}"`

/** Only a moment in ISO 8601 is a timestamp to a reader of JUnit files. */
const timestamp = (startedAt: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(startedAt) ? ` timestamp="${startedAt.slice(0, 19)}"` : ''

/** A check as a case. A warning is no failure, so that pipelines that count failures agree with the run. */
export const kindOfCheck = (verdict: string, isBinding: boolean): JunitKind => {
  if (verdict === 'not-tested') return 'skipped'
  if (!isBinding) return 'pass'
  return verdict === 'fail' ? 'failure' : verdict === 'inconclusive' ? 'error' : 'pass'
}

/** JUnit XML, valid against the schema of Jenkins' xUnit plugin. */
export const junitDocument = (
  name: string,
  { startedAt, durationMs }: { readonly startedAt: string; readonly durationMs: number },
  suites: readonly { readonly name: string; readonly cases: readonly JunitCase[] }[],
): string => {
  const seconds = (durationMs / 1000).toFixed(3)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(name)}" time="${seconds}" ${counts(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${attribute(suite.name)}" ${counts(suite.cases)} skipped="${counted(suite.cases, 'skipped')}" time="${seconds}"${timestamp(startedAt)}>`,
      ...suite.cases.map(caseXml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

/** An undecided check whose clauses other checks have settled leaves nothing open. */
const isSettledByOthers = (report: Report, check: CheckRow): boolean =>
  check.verdict === 'inconclusive' && !leavesOpen(report, check)

const caseOfCheck = (report: Report, check: CheckRow): JunitCase => {
  const area = check.clauses[0]?.split('-')[0] ?? ''
  const isSkipped = check.waived !== null || isSettledByOthers(report, check)
  const kind = isSkipped ? 'skipped' : kindOfCheck(check.verdict, breaksRun(report, check.level))
  const warns = kind === 'pass' && (check.verdict === 'fail' || check.verdict === 'inconclusive')
  const detail = [
    ...check.clauses.map((id) => `${id}: ${ruleInWords(report, id)}`),
    `Seen: ${check.message}`,
    ...(check.waived === null ? [] : [waivedNote(check.waived)]),
    ...(check.witnesses.length > 0 ? [`Exchanges: ${check.witnesses.join(', ')}`] : []),
    // If a check had nothing to examine, repeating the command would show no more.
    ...(check.verdict === 'not-tested' ? [] : [`Repeat: ${check.command}`]),
  ]
  return {
    name: `${check.id} (${check.clauses.join(', ')})`,
    className: `quotaspec.${areaName(area)}`,
    kind,
    type: check.code,
    message: messageOf(report, check),
    detail,
    ...(warns && { output: ['Warning', ...detail] }),
  }
}

const messageOf = (report: Report, check: CheckRow): string => {
  if (check.waived !== null) return `Waived until ${check.waived.until}: ${check.message}`
  return isSettledByOthers(report, check)
    ? `Other checks settle ${listInWords(check.clauses)}; of this one: ${check.message}`
    : check.message
}

const casesOfGates = (report: Report): JunitCase[] =>
  report.gates.map((gate) => ({
    name: gate.id,
    className: 'quotaspec.Gates',
    kind: gate.waived === null ? kindOfCheck(gate.verdict, true) : 'skipped',
    type: 'gate',
    message: gateInWords(gate),
    detail: [],
  }))

/** A waiver that expired or is no longer needed fails the run, and so it does here. */
const casesOfWaivers = (report: Report): JunitCase[] =>
  report.waivers.map((waiver) => ({
    name: waiver.id,
    className: 'quotaspec.Waivers',
    kind: waiver.state === 'expired' || waiver.state === 'passes-now' ? 'failure' : 'pass',
    type: waiver.state,
    message: waiver.sentence,
    detail: [`Reason: ${waiver.reason}`, `Owner: ${waiver.owner}`],
  }))

/** JUnit XML: a case for each check, gate and waiver. A warning passes, and appears in the case's output. */
export const renderJunit = (report: Report): string => {
  const checks = report.checks.map((check) => caseOfCheck(report, check))
  const further = [
    { name: 'quotaspec gates', cases: casesOfGates(report) },
    { name: 'quotaspec waivers', cases: casesOfWaivers(report) },
  ]
  return junitDocument(`quotaspec ${report.run.scenario}`, report.run, [
    { name: `quotaspec checks of ${report.target.baseUrl}`, cases: checks },
    ...further.filter(({ cases }) => cases.length > 0),
  ])
}
