import { describe, expect, it } from 'vitest'
import { clauseRow } from '../assembly/finding-rows.js'
import { undecided } from './findings.js'
import { headlineOf } from './headline.js'
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

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'what was seen comes before what is missing',
      ['not-told', 'bucket-shown-short'],
      ['bucket-shown-short', 'not-told'],
    ],
    ['so it does before a defect that may hide', ['defect-may-hide', 'list-torn'], ['list-torn', 'defect-may-hide']],
    ['what is alike keeps its order', ['list-torn', 'bucket-shown-short'], ['list-torn', 'bucket-shown-short']],
  ])('of one clause, %s', (_, codes, order) => {
    const [first] = passingReport.checks
    const checks = codes.map((code) => ({ ...first, verdict: 'inconclusive' as const, code, message: code }))
    const clauses = passingReport.clauses.map((each) => ({ ...each, verdict: 'inconclusive' as const }))
    const report: Report = { ...passingReport, outcome: 'inconclusive', clauses, checks }
    expect(undecided(report).map(({ code }) => code)).toEqual(order)
    const clause = { ...clauses.find(({ id }) => id === first.clauses[0]), exercise: '' } as never
    expect(clauseRow(clause, 'inconclusive', checks, '').reason).toBe(order.join('; '))
    const only = clauses.filter(({ id }) => id === first.clauses[0])
    expect(headlineOf({ ...report, clauses: only }).toLowerCase()).toContain(`). ${order[0]}.`)
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
