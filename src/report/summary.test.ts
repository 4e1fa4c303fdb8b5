import { describe, expect, it } from 'vitest'
import type { Report } from './model.js'
import { undecided } from './summary.js'
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
