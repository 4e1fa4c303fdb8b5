import { expect, it } from 'vitest'
import type { CheckRow, QuotaRow, Report } from '../model.js'
import { failingReport } from '../testing/failing-report.js'
import { healthyExchange } from '../testing/passing-report.js'
import { noneShownYet } from './exchange-view.js'
import { findingCard } from './finding-card.js'

const pro = failingReport.quotas.find(({ breach }) => breach !== undefined) as QuotaRow &
  Required<Pick<QuotaRow, 'breach'>>
const shownBy = (id: string, admitted: number) => [{ id, receivedMs: 1_000, outcome: 'admitted' as const, admitted }]
const free: QuotaRow = {
  ...pro,
  plan: 'free',
  limit: 60,
  breach: { ...pro.breach, admitted: 61, shownBy: shownBy('burst-free#60', 61) },
}
const both: Report = {
  ...failingReport,
  quotas: [{ ...pro, breach: { ...pro.breach, shownBy: shownBy('burst-pro#300', 301) } }, free],
  exchanges: [
    { ...healthyExchange, id: 'burst-free#60' },
    { ...healthyExchange, id: 'burst-pro#300' },
  ],
}
const check = failingReport.checks.find(({ clauses }) => clauses[0] === 'QUOTA-1') as CheckRow
const cardOf = (plans: readonly string[]): string =>
  findingCard(
    both,
    { ...check, facts: { ...check.facts, plans: plans.map((plan) => ({ plan, looksLike: null })) } },
    { mark: 'fail', evidence: noneShownYet(both), isWorst: true },
  ).markup

it('proves a broken limit on the smallest plan in full, and on every other one folded', () => {
  const markup = cardOf(['pro', 'free'])
  expect(markup).toMatch(
    /first one beyond it<\/h4>.*61st admitted.*<summary>The same on Pro: 380 admitted within 1\.4 s, limit 300<\/summary>.*301st admitted/s,
  )
  expect(markup).toContain('<details class="exchange" id="exchange-burst-free_2360" open>')
  expect(markup).toContain('<details class="exchange" id="exchange-burst-pro_23300">')
})

it('tells of no plan that the finding does not name', () => {
  expect(cardOf(['free'])).not.toContain('The same on')
})
