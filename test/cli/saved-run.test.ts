import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Report, reportModel } from '../../src/report/model.js'
import { type Ended, freshFolder, quotaspec, quotaspecEach, whileServing } from './built-program.js'

const secret = 'saved-run-Kq37Lw48Mz59'
const faults = ['--fault', 'headers-missing-on-401', '--fault', 'reset-as-delta', '--fault', 'challenge-missing']

const reportIn = (out: string): Report => JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))

/** What was judged, without what only says when and how. */
const judgedIn = ({ outcome, headline, run, clauses, checks, quotas, load, restored }: Report) => ({
  ...{ outcome, headline, exitCode: run.exitCode, clauses, checks, quotas, load, restored },
})

const formats: readonly (readonly [string, RegExp, string])[] = [
  ['html', /^<!doctype html>/i, '</html>'],
  ['junit', /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*<testsuites /i, '<failure '],
  ['markdown', /^#+ /, 'RATE-5'],
  ['openmetrics', /^# TYPE quotaspec_run_info gauge\n/, 'quotaspec_run_outcome{target='],
  ['otlp', /^\{\s*"resourceMetrics": \[/, '"quotaspec.run.outcome"'],
  ['sarif', /^\{\s*"\$schema": "[^"]+sarif-2\.1\.0\.json"/, '"ruleId": "RATE-5"'],
]

describe('a saved run, its target gone', () => {
  const out = freshFolder()
  let live: Report
  let ended: Readonly<Record<string, Ended>>

  beforeAll(async () => {
    await whileServing(['--time-scale', '20', '--key', `free=${secret}`, ...faults], async (target) => {
      const run = ['run', 'release-gate', '--target', target, '--time-scale', '20', '--out', out]
      const { code } = await quotaspec(run, { env: { QUOTASPEC_KEY_FREE: secret } })
      expect(code).toBe(1)
    })
    live = reportIn(out)
    const reported = ['json', ...formats.map(([format]) => format)]
    const lines = [['judge', out], ...reported.map((format) => ['report', out, '--as', format])]
    const all = await quotaspecEach(lines.map((args) => ({ args })))
    ended = Object.fromEntries(['judge', ...reported].map((name, i) => [name, all[i]]))
  })

  it('holds the evidence of single exchanges and of a load', () => {
    expect(live.load.length).toBeGreaterThan(0)
    expect(live.headline).toMatch(/\(RATE-1\).*\(RATE-5\)/)
  })

  it('is judged to the same verdicts, with the same exit code, without a key', () => {
    const { code, stdout } = ended.judge
    expect(code).toBe(1)
    expect(stdout).toContain('RATE-1')
    expect(judgedIn(reportIn(out))).toEqual(judgedIn(live))
  })

  it('is reported as JSON that keeps the published schema', () => {
    const { code, stdout } = ended.json
    expect(code).toBe(0)
    const report = reportModel.parse(JSON.parse(stdout))
    expect(judgedIn(report)).toEqual(judgedIn(live))
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
