import { clip, markupLines, markupText } from './escape.js'
import type { CheckRow, Report } from './model.js'
import { areaName, breaksRun, sentenceOf } from './summary.js'

/** The most that is kept of one message: CI systems show them in tables. */
const longestMessage = 2_000

type Kind = 'pass' | 'failure' | 'error' | 'skipped'

interface Case {
  readonly name: string
  readonly className: string
  readonly kind: Kind
  readonly type: string
  readonly message: string
  readonly detail: readonly string[]
}

const attribute = (text: string): string => markupText(clip(text, longestMessage))

/** A warning is no failure: a pipeline that counts failures has to come to the same outcome as the run. */
const kindOf = (report: Report, check: CheckRow): Kind => {
  if (check.verdict === 'not-tested' || check.waived !== null) return 'skipped'
  if (!breaksRun(report, check.level)) return 'pass'
  return check.verdict === 'fail' ? 'failure' : check.verdict === 'inconclusive' ? 'error' : 'pass'
}

const caseOfCheck = (report: Report, check: CheckRow): Case => {
  const area = check.clauses[0]?.split('-')[0] ?? ''
  return {
    name: `${check.id} (${check.clauses.join(', ')})`,
    className: `quotaspec.${areaName(area)}`,
    kind: kindOf(report, check),
    type: check.code,
    message: check.waived === null ? check.message : `Waived until ${check.waived.until}: ${check.message}`,
    detail: [
      ...check.clauses.map((id) => `${id}: ${sentenceOf(report, id)}`),
      `Seen: ${check.message}`,
      ...(check.waived === null ? [] : [`Waived by ${check.waived.owner}: ${check.waived.reason}`]),
      ...(check.witnesses.length > 0 ? [`Exchanges: ${check.witnesses.join(', ')}`] : []),
      `Repeat: ${check.command}`,
    ],
  }
}

const gateKinds = { pass: 'pass', fail: 'failure', inconclusive: 'error', 'not-tested': 'skipped' } as const

const casesOfGates = (report: Report): Case[] =>
  report.gates.map((gate) => ({
    name: gate.id,
    className: 'quotaspec.Gates',
    kind: gate.waived === null ? gateKinds[gate.verdict] : 'skipped',
    type: 'gate',
    message: `${gate.sentence} Limit ${gate.limit}, value ${gate.value}.`,
    detail: [],
  }))

/** A waiver that ended, or that is no longer needed, fails the run: so it does here. */
const casesOfWaivers = (report: Report): Case[] =>
  report.waivers.map((waiver) => ({
    name: waiver.id,
    className: 'quotaspec.Waivers',
    kind: waiver.state === 'expired' || waiver.state === 'passes-now' ? 'failure' : 'pass',
    type: waiver.state,
    message: waiver.sentence,
    detail: [`Reason: ${waiver.reason}`, `Owner: ${waiver.owner}`],
  }))

const caseXml = (each: Case, warning: boolean): string => {
  const head = `    <testcase name="${attribute(each.name)}" classname="${attribute(each.className)}" time="0"`
  const text = each.detail.map((line) => markupLines(clip(line, longestMessage))).join('\n')
  if (each.kind === 'pass' && !warning) return `${head}/>`
  if (each.kind === 'pass') return `${head}>\n      <system-out>Warning\n${text}</system-out>\n    </testcase>`
  const told = `type="${attribute(each.type)}" message="${attribute(each.message)}"`
  return `${head}>\n      <${each.kind} ${told}>${text}</${each.kind}>\n    </testcase>`
}

const counts = (cases: readonly Case[]): string => {
  const of = (kind: Kind) => cases.filter((each) => each.kind === kind).length
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}"`
}

/** Only a moment in ISO 8601 is a timestamp to a reader of JUnit files. */
const timestamp = (startedAt: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(startedAt) ? ` timestamp="${startedAt.slice(0, 19)}"` : ''

/**
 * The report as JUnit XML, valid against the schema of Jenkins' xUnit plugin: a test case for each check, gate and waiver. What
 * fails the run is a failure, what leaves it undecided an error, what was not tested or is waived is skipped; a warning
 * passes, and is told in the case's output. A case has no time of its own: checks only read what probes have recorded.
 */
export const renderJunit = (report: Report): string => {
  const seconds = (report.run.durationMs / 1000).toFixed(3)
  const warned = new Set<Case>()
  const checks = report.checks.map((check) => {
    const made = caseOfCheck(report, check)
    if (made.kind === 'pass' && (check.verdict === 'fail' || check.verdict === 'inconclusive')) warned.add(made)
    return made
  })
  const gates = casesOfGates(report)
  const waivers = casesOfWaivers(report)
  const suite = (name: string, cases: readonly Case[]) => [
    `  <testsuite name="${attribute(name)}" ${counts(cases)} skipped="${cases.filter((each) => each.kind === 'skipped').length}" time="${seconds}"${timestamp(report.run.startedAt)}>`,
    ...cases.map((each) => caseXml(each, warned.has(each))),
    '  </testsuite>',
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="quotaspec ${attribute(report.run.scenario)}" time="${seconds}" ${counts([...checks, ...gates, ...waivers])}>`,
    ...suite(`quotaspec checks of ${report.target.baseUrl}`, checks),
    ...(gates.length > 0 ? suite('quotaspec gates', gates) : []),
    ...(waivers.length > 0 ? suite('quotaspec waivers', waivers) : []),
    '</testsuites>',
    '',
  ].join('\n')
}
