import { expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { quotaView } from '../../readings/quota-views.js'
import { dialects, madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { resetHonest } from './reset-honest.js'

const quotaOf = (id: string, limit: number, windowMs: number) =>
  madeQuota({ id, limit: { free: limit }, windowMs, models: [...modelNames] })
const contract = madeContract(dialects.draft11, {
  quotas: [quotaOf('short', 10, 2_000), quotaOf('long', 40, 12_000)],
  refusals: [{ is: 'quota', status: [429], when: {} }],
})

const answer = (id: string, sentAt: number, status: number, left: string) => ({
  ...madeExchange({
    id,
    sentAt,
    status,
    credential: 'agreed',
    headers: { 'RateLimit-Policy': '"short";q=10;w=2, "long";q=40;w=12', RateLimit: left },
  }),
  operation: 'items',
})

/** The short quota is spent and refuses, and a request is refused after its Reset; what is left of either then. */
const verdictOf = (shortLeft: number, longLeft: number): string => {
  const served = Array.from({ length: 10 }, (_, i) =>
    answer(`s${i}`, i * 10, 200, `"short";r=${9 - i};t=2, "long";r=${39 - i};t=12`),
  )
  const exchanges = [
    ...served,
    answer('x1', 100, 429, '"short";r=0;t=1, "long";r=30;t=12'),
    answer('x2', 2_300, 429, `"short";r=${shortLeft};t=2, "long";r=${longLeft};t=9`),
  ]
  const keys = [{ name: 'free', plan: 'free', quota: { limit: 40, longer: 1 } }]
  const { verdict } = resetHonest.judge(
    quotaView({ ...madeEvidence([], { run: { contract, keys } }), exchanges }, 'short'),
  )
  return verdict
}

it('a refusal after the moment that Reset named breaks its promise, unless another quota may have given it', () => {
  expect([verdictOf(0, 5), verdictOf(10, 0), verdictOf(0, 0)]).toEqual(['fail', 'inconclusive', 'inconclusive'])
})
