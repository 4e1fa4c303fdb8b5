import { clip, markupLines, markupText } from '../../escape.js'

/** The most that is kept of one message: CI systems show them in tables. */
const longestMessage = 2_000

export type JunitKind = 'pass' | 'failure' | 'error' | 'skipped'

/** One test case, as CI systems show it. A case has no time of its own: checks only read what was recorded. */
export interface JunitCase {
  readonly name: string
  readonly className: string
  readonly kind: JunitKind
  readonly type: string
  readonly message: string
  readonly detail: readonly string[]
  /** What a case that passes is to say all the same. */
  readonly output?: readonly string[]
}

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
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

/**
 * A check as a case: what fails the run is a failure, what leaves it undecided an error. A warning is no failure: a
 * pipeline that counts failures has to come to the same outcome as the run.
 */
export const kindOfCheck = (verdict: string, isBinding: boolean): JunitKind => {
  if (verdict === 'not-tested') return 'skipped'
  if (!isBinding) return 'pass'
  return verdict === 'fail' ? 'failure' : verdict === 'inconclusive' ? 'error' : 'pass'
}

/** JUnit XML, valid against the schema of Jenkins' xUnit plugin. */
export const junitDocument = (
  name: string,
  { startedAt, durationMs }: { readonly startedAt: string; readonly durationMs: number },
  suites: readonly JunitSuite[],
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
