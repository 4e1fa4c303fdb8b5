import { describe, expect, it } from 'vitest'
import { modelNames } from '../contract/limiter-models.js'
import type { Evidence } from '../evidence/evidence.js'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { madeExchange } from '../evidence/testing/made-exchange.js'
import { madeLedger } from '../evidence/testing/made-ledger.js'
import { quotaView } from '../readings/quota-views.js'
import { dialects, madeContract, madeQuota } from '../readings/testing/made-contract.js'
import { heldBackKey } from './held-back-key.js'
import { mayBeOfAnother, refusalsOfOthers } from './refusals-of-others.js'

const quotaOf = (id: string, limit: number, windowMs: number) =>
  madeQuota({ id, limit: { free: limit }, windowMs, models: [...modelNames] })
const [short, long] = [quotaOf('short', 10, 2_000), quotaOf('long', 40, 12_000)]
const contract = madeContract(dialects.draft11, {
  quotas: [short, long],
  refusals: [{ is: 'quota', status: [429], when: {} }],
})
const keys = [{ name: 'free', plan: 'free', quota: { limit: 40, longer: 1 } }]

const fields = (shortLeft: number, longLeft: number): [string, string][] => [
  ['RateLimit-Policy', '"short";q=10;w=2, "long";q=40;w=12'],
  ['RateLimit', `"short";r=${shortLeft};t=1, "long";r=${longLeft};t=4`],
]

/** Right after the run's start, when others may have spent either quota. */
const single = (shortLeft: number, longLeft: number): Evidence => ({
  ...madeEvidence([], { run: { contract, keys } }),
  exchanges: [
    {
      ...madeExchange({ id: 'x1', sentAt: 0, status: 429, headers: fields(shortLeft, longLeft), credential: 'agreed' }),
      operation: 'items',
    },
  ],
})

/** The same in a load for the long one, whose rows keep what it shows alone; the first refusal was kept whole. */
const loaded = (shortLeft: number, longLeft: number): Evidence => {
  const row = { status: 429, remaining: longLeft }
  const body = madeExchange({ status: 429 }).response?.body
  if (!body) throw new Error('an answer has a body')
  const samples = [{ row: 0, status: 429, reason: '', headers: fields(shortLeft, longLeft), body }]
  const head = { operation: 'items', quota: 'long', samples }
  const ledgers = [
    madeLedger(
      [
        { sentMs: 0, ...row },
        { sentMs: 5, ...row },
      ],
      head,
    ),
  ]
  return madeEvidence([], { run: { contract, keys }, ledgers })
}

const excusedIn = (evidence: Evidence) => [short, long].map(({ id }) => [...refusalsOfOthers(quotaView(evidence, id))])

describe('refusals that another quota may have given', () => {
  it.each([
    ['are the other’s where the answer shows something left of this one', single(6, 0), [['x1'], []]],
    ['and the other way round', single(0, 6), [[], ['x1']]],
    ['are either’s where nothing is left of both', single(0, 0), [['x1'], ['x1']]],
    [
      'are told by what a load kept whole, and either’s where its rows show one alone that is spent',
      loaded(6, 0),
      [['burst-free#0', 'burst-free#1'], ['burst-free#1']],
    ],
    [
      'are not told by a row that shows something left of the one, and nothing of the other',
      loaded(0, 6),
      [['burst-free#1'], ['burst-free#0', 'burst-free#1']],
    ],
    ['are either’s where the answer shows something left of both, which is wrong', single(1, 1), [['x1'], ['x1']]],
  ])('%s', (_, evidence, expected) => {
    expect(excusedIn(evidence)).toEqual(expected)
  })
})

it('are not told by what is left of a quota where answers show more than it has', () => {
  const refused = single(6, 0)
  const served = (shortLeft: number) => ({
    ...madeExchange({ id: 'x0', sentAt: -100, headers: fields(shortLeft, 9), credential: 'agreed' }),
    operation: 'items',
  })
  const after = (shortLeft: number) => excusedIn({ ...refused, exchanges: [served(shortLeft), ...refused.exchanges] })
  expect([after(9), after(39)]).toEqual([
    [['x1'], []],
    [['x1'], ['x1']],
  ])
})

describe('of two quotas that each have fields of their own', () => {
  const ofQuota = (field: string, quota: string) => ({
    name: quota === 'short' ? `X-RateLimit-${field}` : `X-RateLimit-${field}-Long`,
    is: field === 'Limit' ? ('limit' as const) : ('remaining' as const),
    quota,
    level: 'must' as const,
  })
  const ownFields = {
    ...contract,
    headers: ['short', 'long'].flatMap((quota) => ['Limit', 'Remaining'].map((field) => ofQuota(field, quota))),
  }
  const refused = (shortLeft: number, longLeft: number): Evidence => {
    const headers: [string, string][] = [
      ['X-RateLimit-Limit', '10'],
      ['X-RateLimit-Remaining', `${shortLeft}`],
      ['X-RateLimit-Limit-Long', '40'],
      ['X-RateLimit-Remaining-Long', `${longLeft}`],
    ]
    const x = madeExchange({ id: 'x1', sentAt: 0, status: 429, headers, credential: 'agreed' })
    return {
      ...madeEvidence([], { run: { contract: ownFields, keys } }),
      exchanges: [{ ...x, operation: 'items' }],
    }
  }

  it.each([
    ['the long one is spent', refused(5, 0), [['x1'], []], [true, false]],
    ['the short one is spent', refused(0, 30), [[], ['x1']], [false, true]],
    ['both are spent', refused(0, 0), [['x1'], ['x1']], [true, true]],
  ])('a refusal is told by what it shows of each: %s', (_, evidence, excused, mayBe) => {
    expect(excusedIn(evidence)).toEqual(excused)
    const reading = { witness: { id: 'x1' }, operation: 'items' }
    expect([short, long].map(({ id }) => mayBeOfAnother(quotaView(evidence, id), reading))).toEqual(mayBe)
  })
})

it.each([
  ['the quota that was spent on another key', fields(0, 6), true],
  ['another one', fields(6, 0), false],
])('a key is held back by another where what refused it is of %s', (_, headers, isHeld) => {
  const asked = (id: string, sentAt: number, part: object) => ({
    ...madeExchange({ id, probe: 'isolation', sentAt, credential: 'agreed', intent: { spent: 'pro' }, ...part }),
    operation: 'items',
  })
  const ahead = asked('x1', 50_000, { step: 'ahead', headers: fields(9, 39) })
  const beside = asked('x2', 50_500, { step: 'beside', status: 429, headers })
  const evidence = { ...madeEvidence([], { run: { contract, keys } }), exchanges: [ahead, beside] }
  expect(heldBackKey(quotaView(evidence, 'short')) !== undefined).toBe(isHeld)
})
