import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Report, reportModel } from '../../src/report/model.js'
import { outcomeOf } from '../../workshop/corpus/expectation.js'
import { unpackRun } from '../../workshop/corpus/recording.js'
import { expectedOf, recordingFile } from '../../workshop/corpus/recordings.js'
import { type Ended, freshFolder, quotaspecEach } from './built-program.js'

const recorded = 'petstore/reset-as-delta'

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))

const formats: readonly (readonly [string, RegExp, string])[] = [
  ['html', /^<!doctype html>/i, '</html>'],
  ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*<testsuites /i, '<failure '],
  ['markdown', /^#+ /, 'RATE-5'],
  ['openmetrics', /^# TYPE quotaspec_run_info gauge\n/, 'quotaspec_run_outcome{target='],
  ['otlp', /^\{\s*"resourceMetrics": \[/, '"quotaspec.run.outcome"'],
  ['sarif', /^\{\s*"\$schema": "[^"]+sarif-2\.1\.0\.json"/, '"ruleId": "RATE-5"'],
]

// That a run is judged to what it was judged to live: `scenarios.test.ts` and `library/runs.test.ts`.
describe('a saved run, its target gone', () => {
  const out = freshFolder()
  let ended: Readonly<Record<string, Ended>>

  beforeAll(async () => {
    unpackRun(readFileSync(recordingFile(recorded)), out)
    const reported = ['json', ...formats.map(([format]) => format)]
    const lines = [['judge', out], ...reported.map((format) => ['report', out, '--as', format])]
    const all = await quotaspecEach(lines.map((args) => ({ args })))
    ended = Object.fromEntries(['judge', ...reported].map((name, i) => [name, all[i]]))
  })

  it('holds the evidence of single exchanges and of a load', () => {
    const { exchanges, load } = reportIn(out)
    expect([exchanges.length, load.length].every((each) => each > 0)).toBe(true)
  })

  it('is judged to its verdicts, with its exit code, without a key', () => {
    const { code, stdout } = ended.judge
    const { failing, exitCode } = outcomeOf(expectedOf(recorded))
    expect([code, exitCode]).toEqual([1, 1])
    expect(stdout).toContain('RATE-5')
    const failed = reportIn(out).clauses.filter(({ verdict }) => verdict === 'fail')
    expect(failed.map(({ id }) => id)).toEqual(failing)
  })

  it('is reported as JSON that keeps the published schema', () => {
    const { code, stdout } = ended.json
    expect(code).toBe(0)
    expect(reportModel.parse(JSON.parse(stdout))).toEqual(reportIn(out))
  })

  for (const [format, beginning, within] of formats) {
    it(`is reported as ${format}, on standard output alone`, () => {
      const { code, stdout, stderr } = ended[format]
      expect(code).toBe(0)
      expect(stdout).toMatch(beginning)
      expect(stdout).toContain(within)
      expect(stderr).toBe('')
    })
  }
})
