import { describe, expect, it } from 'vitest'
import { undecided } from './findings.js'
import type { Report } from './model.js'
import { limitSource } from './quotas.js'
import { inconclusiveReport } from './testing/inconclusive-report.js'
import { passingReport } from './testing/passing-report.js'

const idsOf = (report: Report): string[] => undecided(report).map(({ id }) => id)

describe('what could not be decided', () => {
  it('names each check that leaves a clause open', () => {
    const open = inconclusiveReport.checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)
    expect(idsOf(inconclusiveReport).sort()).toEqual(open.sort())
  })

  it('names no check whose clauses another one has proven', () => {
    const [first, ...others] = passingReport.checks
    const report: Report = { ...passingReport, checks: [{ ...first, verdict: 'inconclusive' }, ...others] }
    expect(idsOf(report)).toEqual([])
  })
})

describe('where a limit is from', () => {
  const told = (plan: string, command: string, contract?: string) =>
    limitSource(
      { run: { ...passingReport.run, command }, target: { baseUrl: '', ...(contract && { contract }) } },
      { plan },
    )

  it.each([
    ['the interface', told('free', 'quotaspec run --quota enterprise=minute:5,day:9'), ''],
    ['a flag', told('enterprise', 'quotaspec run --quota enterprise=minute:5,day:9'), ' (set by --quota)'],
    ['a file', told('enterprise', 'quotaspec run --env staging'), ' (set for this run)'],
    ['a contract', told('enterprise', 'quotaspec run', 'acme'), ''],
  ])('is told where it is %s', (_, words, expected) => {
    expect(words).toBe(expected)
  })
})
