import { readFileSync } from 'node:fs'
import Ajv from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Report } from '../model.js'
import { everyReport, reportNames } from '../testing/every-report.js'
import { renderSarif } from './sarif.js'

const { passing, failing, inconclusive, waived, contract, attacking } = everyReport

/** The official schema of the format, as Microsoft's package of matchers has it. */
const schema = JSON.parse(readFileSync(new URL('../testing/sarif-2.1.0-rtm.5.json', import.meta.url), 'utf8'))
const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false })
addFormats.default(ajv)
const validate = ajv.compile(schema)

const problems = (sarif: unknown): string[] =>
  validate(sarif) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)

const place = { file: 'reports/latest/report.html', link: 'https://ci.example/42' }

const runOf = (report: Report, at: { file: string; link?: string } = place) =>
  JSON.parse(renderSarif(report, at)).runs[0]

interface Result {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly kind: string
  readonly level: string
  readonly message: { readonly text: string }
  readonly suppressions?: readonly unknown[]
}

const told = (report: Report): string[] =>
  runOf(report).results.map(
    ({ ruleId, kind, level, suppressions }: Result) =>
      `${ruleId} ${kind} ${level}${suppressions === undefined ? '' : ' suppressed'}`,
  )

describe('SARIF by its official schema', () => {
  it.each(reportNames)('of a %s run is valid', (name) => {
    expect(problems(JSON.parse(renderSarif(everyReport[name], place)))).toEqual([])
  })

  it('would be found out where it is not', () => {
    const text = renderSarif(failing, place)
    expect(problems(JSON.parse(text.replaceAll('"ruleId"', '"rule"')))).not.toEqual([])
    expect(problems(JSON.parse(text.replaceAll('"fail"', '"failed"')))).not.toEqual([])
    expect(problems(JSON.parse(text.replace('https://ci.example/42', 'no address')))).not.toEqual([])
  })

  it('is valid whatever path it is pinned to', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (file) => {
        expect(problems(JSON.parse(renderSarif(failing, { file })))).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})

describe('the results of SARIF', () => {
  it.each<[string, Report, string[]]>([
    ['passing: none', passing, []],
    [
      'failing: what counts as errors, warnings as such',
      failing,
      ['AUTH-8 fail warning', 'QUOTA-1 fail error', 'THROTTLE-4 fail error', 'gate.overAdmitted fail error'],
    ],
    ['inconclusive: open, which is no level', inconclusive, ['QUOTA-1 open none', 'QUOTA-2 open none']],
    ['contract: the clause of the quota', contract, ['QUOTA-2 fail error']],
    [
      'unreachable, with no check to tell of it: the run itself',
      { ...passing, outcome: 'inconclusive', checks: [], gates: [] },
      ['run open none'],
    ],
    [
      'failing for a reason that no check tells: the run itself, above what only warns',
      { ...failing, checks: failing.checks.filter(({ clauses }) => clauses.includes('AUTH-8')), gates: [] },
      ['run fail error', 'AUTH-8 fail warning'],
    ],
  ])('of a run that is %s', (_, report, results) => {
    expect(told(report)).toEqual(results)
  })

  it('are suppressed where they are waived, and say who waived them and until when', () => {
    expect(told(waived)).toContain('QUOTA-1 fail error suppressed')
    expect(told(waived).filter((each) => each.startsWith('waiver'))).not.toEqual([])
    const result = runOf(waived).results.find(({ ruleId }: Result) => ruleId === 'QUOTA-1')
    expect(result.message.text).toMatch(/^Waived until 2026-12-31 by team-gateway: /)
  })

  it('name what was seen, where, and the command that repeats it', () => {
    const result = runOf(failing).results.find(({ ruleId }: Result) => ruleId === 'QUOTA-1')
    expect(result.message.text).toMatch(/^pro admitted 380 within 1\.4 s, .* Repeat: quotaspec run .* --only QUOTA-1$/)
    expect(result.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'reports/latest/report.html' },
          region: { startLine: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: 'http://127.0.0.1:8080/v1', kind: 'resource' }],
      },
    ])
    expect(result.hostedViewerUri).toBe('https://ci.example/42')
  })

  it.each(reportNames)('of a %s run lead to their rules, each of which is there once', (name) => {
    const { tool, results } = runOf(everyReport[name])
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { ruleId, ruleIndex } of results) expect(ids[ruleIndex]).toBe(ruleId)
  })

  it('make no link and no placeholder of what a target sends', () => {
    const texts = runOf(attacking).results.map(({ message }: Result) => message.text)
    expect(texts.join('\n')).toContain('[x] (javascript:')
    expect(texts.join(' ')).not.toMatch(/\]\(|[\p{Bidi_Control}\p{Cc}]/u)
    const report = { ...failing, checks: failing.checks.map((check) => ({ ...check, message: 'x {0} {y}' })) }
    expect(runOf(report).results[0].message.text).toMatch(/^x \{\{0\}\} \{y\}\. /)
  })
})

describe('SARIF', () => {
  it.each([
    [0, true],
    [1, true],
    [2, true],
    [4, false],
    [130, false],
  ])('says of exit code %i that the tool came to an end by itself: %s', (exitCode, isWell) => {
    const [invocation] = runOf({ ...passing, run: { ...passing.run, exitCode } }).invocations
    expect(invocation).toMatchObject({
      exitCode,
      executionSuccessful: isWell,
      startTimeUtc: '2026-11-21T10:00:00.000Z',
      endTimeUtc: '2026-11-21T10:00:41.200Z',
    })
  })

  it('has a rule for each clause, of the level that it has in this run', () => {
    const levels = (report: Report) =>
      new Map(
        runOf(report).tool.driver.rules.map((each: { id: string; defaultConfiguration: { level: string } }) => [
          each.id,
          each.defaultConfiguration.level,
        ]),
      )
    expect(failing.clauses.filter(({ id }) => !levels(failing).has(id))).toEqual([])
    expect(['QUOTA-1', 'AUTH-8', 'QUOTA-8'].map((id) => levels(failing).get(id))).toEqual(['error', 'warning', 'note'])
    expect(levels({ ...failing, run: { ...failing.run, strict: true } }).get('AUTH-8')).toBe('error')
  })
})
