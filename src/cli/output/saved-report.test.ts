import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { passingReport } from '../../report/testing/passing-report.js'
import { readReport } from './saved-report.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-read-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (content: unknown): string => {
  const file = join(folder, 'report.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

/** As quotaspec 0.1.0 first wrote it: without waivers, stretches, clients and bans, and with less of loads and stories. */
const firstShape = () => {
  const { waivers: _, backoff: __, bans: ___, ...report } = passingReport
  const without = <T extends object>(row: T, ...fields: (keyof T & string)[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !fields.some((field) => field === name)))
  return {
    ...report,
    clauses: report.clauses.map((row) => without(row, 'waived')),
    checks: report.checks.map((row) => without(row, 'waived')),
    gates: report.gates.map((row) => without(row, 'waived')),
    load: report.load.map((row) => without(row, 'worstStretches', 'stoodStillMs', 'problem')),
    timelines: report.timelines.map((row) => without(row, 'counts', 'stretchMs')),
  }
}

describe('a saved report', () => {
  it('is read from its folder or its file', () => {
    const file = write(passingReport)
    expect(readReport(file)).toEqual(passingReport)
    expect(readReport(folder)).toEqual(passingReport)
  })

  it('is read as an older version wrote it', () => {
    const timelines = passingReport.timelines.map((row) => ({ ...row, counts: [], stretchMs: 0 }))
    expect(readReport(write(firstShape()))).toEqual({ ...passingReport, backoff: [], bans: [], timelines })
  })

  it('is read with fields that a later version adds', () => {
    expect(readReport(write({ ...passingReport, later: 1 }))).toEqual(passingReport)
  })

  it.each([
    ['no JSON', '{', /report\.json is not JSON/],
    ['something else', { a: 1 }, /is not a quotaspec report: it has no schemaVersion/],
    [
      'a newer version',
      { ...passingReport, schemaVersion: 2, tool: { name: 'quotaspec', version: '3.0.0' } },
      /schema version 2, written by quotaspec 3\.0\.0; this one reads up to 1: use a newer quotaspec/,
    ],
    ['a field that is wrong', { ...passingReport, outcome: 'great' }, /is not a report of quotaspec: outcome: /],
  ])('is refused where it is %s, in a sentence', (_, content, message) => {
    expect(() => readReport(write(content))).toThrow(message)
  })

  it('is missed in a sentence', () => {
    expect(() => readReport(join(folder, 'none'))).toThrow(/none holds no report\.json: give the folder of a run/)
  })
})
