import { describe, expect, test } from 'vitest'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { limiterCosts } from './limiter-costs.js'

const answers = (from: number, amount: number, status: number, tookMs: number) =>
  Array.from({ length: amount }, (_, i) => ({ sentMs: from + i, status, tookMs }))

const load = (id: string, admitted: number, refused: number, probe = 'cost') =>
  madeLedger([...answers(0, admitted, 200, 20), ...answers(500, refused, 429, 5)], { id, probe })

describe('what the limiter costs', () => {
  test('pools the rounds of a key, and leaves out every other load', () => {
    const ledgers = [load('cost-1-free', 20, 10), load('cost-2-free', 20, 10), load('burst-free', 60, 30, 'burst')]
    expect(limiterCosts(madeEvidence([], { ledgers }))).toMatchObject([
      { plan: 'free', admitted: { count: 40, p50: 20 }, refused: { count: 20, p50: 5 }, share: 0.25 },
    ])
  })

  test.each([
    ['no refusal', 40, 0],
    ['19 refusals', 40, 19],
    ['19 admitted', 19, 40],
  ])('says no share of %s', (_, admitted, refused) => {
    const [row] = limiterCosts(madeEvidence([], { ledgers: [load('cost-1-free', admitted, refused)] }))
    expect(row.share).toBeNull()
  })

  test('has nothing to say of a run without such a load', () => {
    expect(limiterCosts(madeEvidence([], { ledgers: [load('burst-free', 40, 40, 'burst')] }))).toEqual([])
  })
})
