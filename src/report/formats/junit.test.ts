import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { attackReport } from '../testing/attack-report.js'
import { failingReport } from '../testing/failing-report.js'
import { inconclusiveReport } from '../testing/inconclusive-report.js'
import { passingReport } from '../testing/passing-report.js'
import { waivedReport } from '../testing/waived-report.js'
import { renderJunit } from './junit.js'

const schema = fileURLToPath(new URL('../testing/junit.xsd', import.meta.url))
const missing = spawnSync('xmllint', ['--version']).error !== undefined
// On CI a missing tool is a failure, never a skip that reads green.
const skipped = missing && !process.env.CI
if (skipped) console.warn('\n!!! NOT TESTED: JUnit XML against its schema. There is no xmllint (libxml2-utils).\n')

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-junit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const validate = (xml: string): string => {
  const file = join(folder, 'junit.xml')
  writeFileSync(file, xml)
  const { stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, file], { encoding: 'utf8' })
  return stderr.replaceAll(file, 'junit.xml').trim()
}

describe.skipIf(skipped)('JUnit XML', () => {
  it.each([
    ['passing', passingReport],
    ['failing', failingReport],
    ['inconclusive', inconclusiveReport],
    ['waived', waivedReport],
    ['attacking', attackReport],
  ])('of a %s run is valid', (_, report) => {
    expect(validate(renderJunit(report))).toBe('junit.xml validates')
  })

  it('would be found out where it is not', () => {
    const xml = renderJunit(failingReport)
    expect(validate(xml.replace('<failure type=', '<failure kind='))).toContain('fails to validate')
    expect(validate(xml.replace(/ tests="\d+"/, ''))).toContain('fails to validate')
  })
})

describe('the counts of JUnit XML', () => {
  it.each([
    ['passing', passingReport],
    ['failing', failingReport],
    ['inconclusive', inconclusiveReport],
    ['waived', waivedReport],
  ])('of a %s run are those of its cases', (_, report) => {
    const xml = renderJunit(report)
    const [, tests, failures, errors] = /<testsuites [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml) ?? []
    const number = (pattern: RegExp): string => String(xml.match(pattern)?.length ?? 0)
    expect([tests, failures, errors]).toEqual([number(/<testcase /g), number(/<failure /g), number(/<error /g)])
  })
})

describe('a case of JUnit XML', () => {
  it('names the command that repeats it where something was looked at, and none where nothing was', () => {
    const report = {
      ...failingReport,
      checks: failingReport.checks.map((check) =>
        check.clauses.includes('AUTH-8')
          ? { ...check, verdict: 'not-tested' as const, message: 'the scenario does not play no-key' }
          : check,
      ),
    }
    const xml = renderJunit(report)
    expect(xml).toMatch(/--only QUOTA-1<\/failure>/)
    expect(xml).toMatch(/<skipped [^>]*>AUTH-8: .*\nSeen: the scenario does not play no-key<\/skipped>/)
  })
})
