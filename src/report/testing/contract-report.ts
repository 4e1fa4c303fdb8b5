import type { Report } from '../model.js'
import { clausesPhrase } from '../summary.js'
import { passingReport } from './passing-report.js'

/** A run of a contract file: two quotas with ids as windows, no inventory, and one quota that refuses too early. */
export const contractReport: Report = ((): Report => {
  const [free] = passingReport.quotas
  const quotas: Report['quotas'] = [
    { ...free, plan: 'free (core)', window: 'core' },
    {
      ...free,
      plan: 'free (search)',
      window: 'search',
      limit: 30,
      windowMs: 20_000,
      sent: 45,
      admitted: 24,
      refused: 21,
      verdict: 'fail',
      models: { 'sliding-log': 'refuted', gcra: 'refuted' },
      refutations: {
        'sliding-log': { reason: 'early-refusal', overAdmitted: 0, earlyRefused: 6, witnesses: ['burst-search#25'] },
        gcra: { reason: 'early-refusal', overAdmitted: 0, earlyRefused: 9, witnesses: ['burst-search#25'] },
      },
      diagnosis: 'a limit of 24',
      worstMinute: 24,
      recovery: null,
    },
  ]
  const message = 'free (search) refused the 25th of 30 requests of a fresh window.'
  const clauses = passingReport.clauses.map((row) =>
    row.id === 'QUOTA-2' ? { ...row, verdict: 'fail' as const, reason: message } : row,
  )
  return {
    ...passingReport,
    run: { ...passingReport.run, exitCode: 1, scenario: 'quota-benchmark' },
    target: { baseUrl: 'https://api.acme.example', contract: 'acme' },
    outcome: 'fail',
    headline: `The target breaks QUOTA-2 (${clausesPhrase({ ...passingReport, clauses })}).`,
    clauses,
    checks: passingReport.checks.map((row) =>
      row.clauses.includes('QUOTA-2')
        ? { ...row, verdict: 'fail', code: 'refused-early', message, witnesses: ['burst-search#25'] }
        : row,
    ),
    quotas,
    load: passingReport.load.map((row) => ({ ...row, plan: 'free', profile: 'burst' })),
    timelines: [],
    backoff: [],
    exchanges: [],
  }
})()
