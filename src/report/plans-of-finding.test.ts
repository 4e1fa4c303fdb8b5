import { describe, expect, it } from 'vitest'
import { planOfKey, plansOfFinding } from './findings.js'
import type { CheckRow, WitnessRow } from './model.js'
import { failingReport } from './testing/failing-report.js'
import { passingReport } from './testing/passing-report.js'

describe('a key', () => {
  it.each([
    ['pro', 'pro'],
    ['pro-2', 'pro'],
    ['pro-plus', 'pro-plus'],
    ['pro-plus-2', 'pro-plus'],
    ['probe', undefined],
    ['', undefined],
  ])('%j is of the plan %j', (key, plan) => {
    expect(planOfKey(['pro', 'pro-plus'], key)).toBe(plan)
  })
})

it('a finding was seen on the plans of its exchanges, and on none whose name only begins like theirs', () => {
  const [quota] = passingReport.quotas
  const [check] = failingReport.checks.filter(({ verdict }) => verdict === 'fail')
  const [exchange] = failingReport.exchanges
  const plans = ['pro', 'pro-plus'].map((plan) => ({ ...quota, plan }))
  const seen: CheckRow = { ...check, facts: {}, witnesses: ['x1'] }
  const byId = new Map<string, WitnessRow>([['x1', { ...exchange, id: 'x1', key: 'pro-plus' }]])
  expect(plansOfFinding({ quotas: plans, timelines: [], load: [] }, seen, byId)).toEqual(['pro-plus'])
})
