import { listInWords } from '../../../kit/list-in-words.js'
import type { CheckRow, Report } from '../../model.js'
import { areaName, breaksRun, leavesOpen, sentenceOf } from '../../summary.js'
import { type JunitCase, junitDocument, kindOfCheck } from './junit-document.js'

/** A check that could not decide, of clauses that others have settled, left nothing open. */
const isSettledByOthers = (report: Report, check: CheckRow): boolean =>
  check.verdict === 'inconclusive' && !leavesOpen(report, check)

const caseOfCheck = (report: Report, check: CheckRow): JunitCase => {
  const area = check.clauses[0]?.split('-')[0] ?? ''
  const isSkipped = check.waived !== null || isSettledByOthers(report, check)
  const kind = isSkipped ? 'skipped' : kindOfCheck(check.verdict, breaksRun(report, check.level))
  const warns = kind === 'pass' && (check.verdict === 'fail' || check.verdict === 'inconclusive')
  const detail = [
    ...check.clauses.map((id) => `${id}: ${sentenceOf(report, id)}`),
    `Seen: ${check.message}`,
    ...(check.waived === null ? [] : [`Waived by ${check.waived.owner}: ${check.waived.reason}`]),
    ...(check.witnesses.length > 0 ? [`Exchanges: ${check.witnesses.join(', ')}`] : []),
    // Of a check that had nothing to look at, the same command would tell as little again.
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

const gateKinds = { pass: 'pass', fail: 'failure', inconclusive: 'error', 'not-tested': 'skipped' } as const

const casesOfGates = (report: Report): JunitCase[] =>
  report.gates.map((gate) => ({
    name: gate.id,
    className: 'quotaspec.Gates',
    kind: gate.waived === null ? gateKinds[gate.verdict] : 'skipped',
    type: 'gate',
    message: `${gate.sentence} Limit ${gate.limit}, value ${gate.value}.`,
    detail: [],
  }))

/** A waiver that ended, or that is no longer needed, fails the run: so it does here. */
const casesOfWaivers = (report: Report): JunitCase[] =>
  report.waivers.map((waiver) => ({
    name: waiver.id,
    className: 'quotaspec.Waivers',
    kind: waiver.state === 'expired' || waiver.state === 'passes-now' ? 'failure' : 'pass',
    type: waiver.state,
    message: waiver.sentence,
    detail: [`Reason: ${waiver.reason}`, `Owner: ${waiver.owner}`],
  }))

/**
 * The report as JUnit XML: a test case for each check, gate and waiver. What fails the run is a failure, what leaves it
 * undecided an error, what was not tested or is waived is skipped; a warning passes, and is told in the case's output.
 */
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
