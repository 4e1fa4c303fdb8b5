import { expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { quotaView } from '../../readings/quota-views.js'
import { dialects, madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { retryAfterNotLong } from './retry-after.js'
import { retryAfterHonest } from './retry-after-honest.js'

const quotaOf = (id: string, limit: number, windowMs: number) =>
  madeQuota({ id, limit: { free: limit }, windowMs, models: [...modelNames] })
const contract = madeContract(dialects.draft11, {
  quotas: [quotaOf('short', 10, 4_000), quotaOf('long', 40, 24_000)],
  refusals: [{ is: 'quota', status: [429], when: {} }],
  retryAfter: { as: ['seconds'], level: 'must' },
})
const keys = [{ name: 'free', plan: 'free', quota: { limit: 40, longer: 1 } }]

/** What is left of each quota after a request. */
type Left = readonly [short: number, long: number]

const answer = (sentAt: number, [short, long]: Left, waitS?: number) => ({
  ...madeExchange({
    id: `x${sentAt}`,
    sentAt,
    status: waitS === undefined ? 200 : 429,
    credential: 'agreed',
    headers: {
      'RateLimit-Policy': '"short";q=10;w=4, "long";q=40;w=24',
      RateLimit: `"short";r=${short};t=3, "long";r=${long};t=20`,
      ...(waitS !== undefined && { 'Retry-After': `${waitS}` }),
    },
  }),
  operation: 'items',
})

const seenOf = (quota: string, ...exchanges: ReturnType<typeof answer>[]) =>
  quotaView({ ...madeEvidence([], { run: { contract, keys } }), exchanges }, quota)

it.each([
  ['its own quota named', [10, 0], 'fail'],
  ['another quota named', [0, 30], 'inconclusive'],
] as const)('an admission long before the end of a wait that %s', (_, left, expected) => {
  const evidence = seenOf('long', answer(0, [1, 31]), answer(100, left, 4), answer(1_000, [5, 5]))
  expect(retryAfterNotLong.judge(evidence).verdict).toBe(expected)
})

it.each([
  ['its own quota', [0, 5], 'wait-overtaken'],
  ['another quota', [10, 0], 'not-told'],
] as const)('a refusal by %s after the end of a wait that was not waited for in silence', (_, left, expected) => {
  const served = Array.from({ length: 10 }, (_, i) => answer(i * 10, [9 - i, 39 - i]))
  const evidence = seenOf('short', ...served, answer(100, [0, 30], 4), answer(4_000, left, 1), answer(4_500, left, 1))
  expect(retryAfterHonest.judge(evidence).code).toBe(expected)
})
