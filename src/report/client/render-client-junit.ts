import { clip, markupText } from '../escape.js'
import type { ClientReport } from './model.js'

const longestMessage = 2_000
type Kind = 'pass' | 'failure' | 'error' | 'skipped'

const attribute = (text: string): string => markupText(clip(text, longestMessage))

/** A warning is no failure, as the outcome has it too. */
const kindOf = (report: ClientReport, { verdict, level }: ClientReport['checks'][number]): Kind => {
  if (verdict === 'not-tested') return 'skipped'
  const binding = level === 'must' || (level === 'should' && report.run.strict)
  if (!binding) return 'pass'
  return verdict === 'fail' ? 'failure' : verdict === 'inconclusive' ? 'error' : 'pass'
}

/** The report as JUnit XML: a test case for each check. What fails the audit is a failure, what leaves it open an error. */
export const renderClientJunit = (report: ClientReport): string => {
  const seconds = (report.run.durationMs / 1000).toFixed(3)
  const cases = report.checks.map((check) => ({ check, kind: kindOf(report, check) }))
  const of = (kind: Kind) => cases.filter((each) => each.kind === kind).length
  const counts = `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}"`
  const xml = cases.map(({ check, kind }) => {
    const head = `    <testcase name="${attribute(`${check.id} (${check.clauses.join(', ')})`)}" classname="quotaspec.Client" time="0"`
    const warning = kind === 'pass' && (check.verdict === 'fail' || check.verdict === 'inconclusive')
    if (warning) return `${head}>\n      <system-out>Warning: ${attribute(check.message)}</system-out>\n    </testcase>`
    if (kind === 'pass') return `${head}/>`
    return `${head}>\n      <${kind} type="${attribute(check.code)}" message="${attribute(check.message)}">${attribute(check.promise)}</${kind}>\n    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="quotaspec client" time="${seconds}" ${counts}>`,
    `  <testsuite name="${attribute(`quotaspec client ${report.client.command}`)}" ${counts} skipped="${of('skipped')}" time="${seconds}" timestamp="${report.run.startedAt.slice(0, 19)}">`,
    ...xml,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
