import { expect, it } from 'vitest'
import type { Report } from '../../model.js'
import { everyReport } from '../../testing/every-report.js'
import { badgeState } from './badge-state.js'

const { passing, failing, inconclusive, waived, contract } = everyReport

const withClause = (id: string, verdict: 'fail' | 'inconclusive', outcome: Report['outcome']): Report => ({
  ...passing,
  outcome,
  clauses: passing.clauses.map((clause) => (clause.id === id ? { ...clause, verdict } : clause)),
})

it.each<[string, Report, string, string]>([
  ['every quota that was tried held', passing, 'kept', 'good'],
  ['a quota broke', failing, 'broken', 'bad'],
  ['a quota of a contract broke', contract, 'broken', 'bad'],
  ['a quota broke and is waived', { ...waived, outcome: 'pass' }, 'broken', 'bad'],
  ['nothing of the quotas was settled', inconclusive, 'unproven', 'open'],
  ['a run passes in which no quota was tried', { ...passing, quotas: [] }, 'unproven', 'open'],
  [
    'a run passes and one of two quotas is open',
    {
      ...passing,
      quotas: passing.quotas.map((row, at) => (at > 0 ? row : { ...row, verdict: 'inconclusive' as const })),
    },
    'unproven',
    'open',
  ],
  [
    'one quota held and the other was not asked for',
    {
      ...passing,
      quotas: passing.quotas.map((row, at) => (at > 0 ? row : { ...row, verdict: 'not-tested' as const })),
    },
    'kept',
    'good',
  ],
  ['a clause on quotas is broken that no row shows', withClause('QUOTA-6', 'fail', 'fail'), 'broken', 'bad'],
  ['a clause on quotas is open', withClause('QUOTA-6', 'inconclusive', 'inconclusive'), 'unproven', 'open'],
  ['the quotas held and another clause broke', withClause('ERR-2', 'fail', 'fail'), 'kept, contract broken', 'bad'],
  [
    'the quotas held and another clause is open',
    withClause('ERR-2', 'inconclusive', 'inconclusive'),
    'unproven',
    'open',
  ],
  [
    'no quota was tried and another clause broke',
    { ...withClause('ERR-2', 'fail', 'fail'), quotas: [] },
    'unproven, contract broken',
    'bad',
  ],
])('a badge of a run in which %s', (_, report, words, kind) => {
  expect(badgeState(report)).toEqual({ words, kind })
})
