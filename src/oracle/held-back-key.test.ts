import { describe, expect, it } from 'vitest'
import { madeEvidence, madeKey } from '../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../evidence/testing/made-exchange.js'
import { heldBackKey } from './held-back-key.js'

/** Keys that draw on counters of these names, each with the limit of its plan. */
const limiter = (counterOf: (plan: 'free' | 'pro') => string) => {
  const used = new Map<string, number>()
  return (plan: 'free' | 'pro') => {
    const { limit: minute } = madeKey(plan).quota
    const before = used.get(counterOf(plan)) ?? 0
    const admitted = before < minute
    if (admitted) used.set(counterOf(plan), before + 1)
    return { status: admitted ? 200 : 429, remaining: Math.max(0, minute - before - 1), minute }
  }
}

/**
 * What isolation sees: the free key ahead, the Pro key spent beyond its limit, the free key beside it; after so many
 * requests on the free key, by the run or by somebody else.
 */
const isolated = (counterOf: (plan: 'free' | 'pro') => string, { own = 0, foreign = 0, isServedNext = false } = {}) => {
  const decide = limiter(counterOf)
  for (let i = 0; i < foreign; i += 1) decide('free')
  const asked = (plan: 'free' | 'pro', step: string, sentAt: number): ExchangePart => {
    const { status, remaining, minute } = decide(plan)
    const headers = { 'X-RateLimit-Limit': `${minute}`, 'X-RateLimit-Remaining': `${remaining}` }
    return { probe: 'isolation', step, key: plan, status, headers, sentAt, intent: { spent: 'pro' } }
  }
  const exchanges = [
    ...Array.from({ length: own }, (_, i) => asked('free', 'before', i)),
    asked('free', 'ahead', 1_000),
    ...Array.from({ length: 320 }, (_, i) => asked('pro', 'load', 1_010 + i)),
    asked('free', 'beside', 2_000),
    { ...asked('free', 'beside', 2_001), ...(isServedNext && { status: 200 }) },
  ]
  return heldBackKey(madeEvidence(exchanges, { run: { keys: [madeKey('free'), madeKey('pro')] } }))
}

describe('a key that another plan holds back', () => {
  it('is found where both plans draw on one counter', () => {
    expect(isolated(() => 'one')).toMatchObject({ plan: 'free', sent: 1, limit: 60 })
  })

  it('is none where its next request is served', () => {
    expect(isolated(() => 'one', { isServedNext: true })).toBeUndefined()
  })

  it('is none where each plan has a counter of its own', () => {
    expect(isolated((plan) => plan)).toBeUndefined()
  })

  it('is none where the key had spent its own quota', () => {
    expect(isolated((plan) => plan, { own: 60 })).toBeUndefined()
    expect(isolated(() => 'one', { own: 40 })).toBeUndefined()
  })

  it('is none where somebody else had all but spent it', () => {
    expect(isolated(() => 'one', { foreign: 58 })).toBeUndefined()
    expect(isolated(() => 'one', { foreign: 20 })).toMatchObject({ plan: 'free' })
  })
})
