import type { Report } from '../model.js'
import { passingReport } from './passing-report.js'

const undecidedClauses = ['QUOTA-1', 'QUOTA-2']
const message = 'The generator held 41 of 90 requests a second on free: too few to prove anything.'

/** A run whose generator could not keep its rate, and that was interrupted: nothing about the quotas is proven. */
export const inconclusiveReport: Report = {
  ...passingReport,
  run: { ...passingReport.run, exitCode: 2, interrupted: true },
  outcome: 'inconclusive',
  headline:
    'Nothing failed, but 2 rules are inconclusive (QUOTA-1 and QUOTA-2). The run was interrupted before its end.',
  rerun: {
    helps: 'maybe',
    sentence: 'Another run may help: this machine could not send the load on time (QUOTA-1 and QUOTA-2).',
    reasons: undecidedClauses.map((of) => ({
      of,
      helps: 'maybe',
      why: 'this machine could not send the load on time',
    })),
  },
  clauses: passingReport.clauses.map((clause) =>
    undecidedClauses.includes(clause.id) ? { ...clause, verdict: 'inconclusive', reason: message } : clause,
  ),
  checks: passingReport.checks.map((check) =>
    undecidedClauses.includes(check.clauses[0] ?? '')
      ? { ...check, verdict: 'inconclusive', code: 'rate-not-held', facts: { held: 41, planned: 90 }, message }
      : check,
  ),
  quotas: passingReport.quotas.map((quota) => ({
    ...quota,
    verdict: 'inconclusive',
    unknown: 12,
    models: {},
    refutations: {},
  })),
  load: [],
  timelines: [],
  gates: [],
  exchanges: [],
}
