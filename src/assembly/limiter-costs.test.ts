import { describe, expect, test } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { limiterCosts } from './load-figures.js'

const answers = (from: number, amount: number, status: number, tookMs: number) =>
  Array.from({ length: amount }, (_, i) => ({ sentMs: from + i, status, tookMs }))

const load = (id: string, admitted: number, refused: number, { probe = 'cost', stoodStillMs = 0 } = {}) =>
  madeLedger([...answers(0, admitted, 200, 20), ...answers(500, refused, 429, 5)], { id, probe, stoodStillMs })

describe('what the limiter costs', () => {
  test('pools the rounds of a key, and leaves out every other load', () => {
    const ledgers = [
      load('cost-1-free', 20, 10),
      load('cost-2-free', 20, 10),
      load('burst-free', 60, 30, { probe: 'burst' }),
    ]
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

  test('tells each round, with how long its machine stood still', () => {
    const ledgers = [load('cost-1-free', 20, 10, { stoodStillMs: 310 }), load('cost-2-free', 30, 15)]
    const [row] = limiterCosts(madeEvidence([], { ledgers }))
    expect(row.rounds).toMatchObject([
      { round: 1, admitted: { count: 20, p50: 20 }, refused: { count: 10, p50: 5 }, stoodStillMs: 310 },
      { round: 2, admitted: { count: 30 }, refused: { count: 15 }, stoodStillMs: 0 },
    ])
  })

  test('withholds the share where standing still may make the difference', () => {
    const [still, calm] = [load('cost-1-free', 40, 40, { stoodStillMs: 310 }), load('cost-1-free', 40, 40)]
    expect(limiterCosts(madeEvidence([], { ledgers: [still] }))).toMatchObject([{ share: null, withheld: true }])
    expect(limiterCosts(madeEvidence([], { ledgers: [calm] }))).toMatchObject([{ share: 0.25, withheld: false }])
  })

  test('has nothing to say of a run without such a load', () => {
    expect(limiterCosts(madeEvidence([], { ledgers: [load('burst-free', 40, 40, { probe: 'burst' })] }))).toEqual([])
  })
})
