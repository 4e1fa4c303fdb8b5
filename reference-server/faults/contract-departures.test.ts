import { describe, expect, it } from 'vitest'
import type { ApiContract } from '../../src/contract/api-contract.js'
import { type Asked, askContract, type Seen } from '../testing/ask-contract.js'
import { contractTranscript } from '../testing/contract-transcript.js'
import { blocking, keystoneContracts, leakyBucket, quotaOf, twoPolicies } from '../testing/keystone-contracts.js'
import { differsFrom, gathered } from '../testing/transcript.js'
import { contractFaults, contractVariations } from './catalogue.js'
import { brokenOf } from './fault.js'

/** Ten in 2 s, from the first request on, for whoever asks from one address, with a timestamp for a Reset. */
const byAddress: ApiContract = {
  ...blocking,
  name: 'by-address',
  headers: [
    { name: 'X-RateLimit-Limit', is: 'limit', level: 'must' },
    { name: 'X-RateLimit-Remaining', is: 'remaining', level: 'must' },
    { name: 'X-RateLimit-Reset', is: 'reset', as: 'epoch-s', level: 'must' },
  ],
  refusals: [],
  quotas: [
    quotaOf({
      id: 'core',
      by: 'address',
      limit: { free: 10, pro: 10 },
      windowMs: 2_000,
      requests: ['items'],
      models: ['fixed-window-first-request', 'fixed-window'],
    }),
  ],
}
const contracts = [...keystoneContracts, byAddress]

interface Departed {
  readonly id: string
  appliesTo(contract: ApiContract): boolean
}
const pairs = (catalogue: readonly Departed[]) =>
  contracts.flatMap((contract) =>
    catalogue.filter(({ appliesTo }) => appliesTo(contract)).map(({ id }) => [id, contract.name, contract] as const),
  )
const kept = new Map(contracts.map((contract) => [contract.name, gathered(contractTranscript(contract, {}))]))

describe('the faults of a server that should keep a contract', () => {
  it('are at least twenty, each with an id of its own and clauses that can fail, and each for some contract', () => {
    expect(contractFaults.length).toBeGreaterThanOrEqual(20)
    expect(new Set(contractFaults.map(({ id }) => id)).size).toBe(contractFaults.length)
    for (const { id, breaks, appliesTo } of contractFaults) {
      expect(
        breaks.filter((clause) => contracts.every((contract) => brokenOf({ breaks: [clause] }, contract).length === 0)),
        id,
      ).toEqual([])
      expect(contracts.some(appliesTo), id).toBe(true)
    }
  })

  it('break only what the contract promises', () => {
    const [doubled] = contractFaults.filter(({ id }) => id === 'window-doubled')
    expect([leakyBucket, twoPolicies, byAddress].map((contract) => brokenOf(doubled, contract))).toEqual([
      ['QUOTA-2'],
      ['QUOTA-2', 'RATE-5'],
      ['QUOTA-2', 'RATE-5'],
    ])
    const silent = { ...twoPolicies, headers: [], retryAfter: null }
    const wordless = contractFaults
      .filter(({ appliesTo }) => appliesTo(silent))
      .flatMap((fault) => brokenOf(fault, silent))
    expect(wordless.filter((id) => /^(RATE-|THROTTLE-[2345])/.test(id))).toEqual([])
  })

  it.each(contracts)('are compared with answers that come the same whenever $name is asked', async (contract) => {
    const before = (await kept.get(contract.name)) ?? []
    expect(await differsFrom(contractTranscript(contract, {}), before)).toBe(false)
  })

  it.each(pairs(contractFaults))('%s shows on %s', async (id, name, contract) => {
    expect(await differsFrom(contractTranscript(contract, { faults: [id] }), (await kept.get(name)) ?? [])).toBe(true)
  })

  it('are refused where they mean nothing', () => {
    expect(() => askContract(blocking, { faults: ['cost-ignored'] })).toThrow(
      'the fault cost-ignored means nothing to the contract blocking',
    )
    expect(() => askContract(blocking, { faults: ['x'] })).toThrow('there is no fault named x')
  })
})

describe('the variations of a server that keeps a contract', () => {
  it('have ids of their own, and no fault has the same', () => {
    const ids = [...contractVariations, ...contractFaults].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  // One contract is enough, the last that it applies to: nobody can tell the two buckets apart, but other limiters.
  it.each([...new Map(pairs(contractVariations).map((pair) => [pair[0], pair])).values()])(
    '%s shows on %s',
    async (id, name, contract) => {
      expect(await differsFrom(contractTranscript(contract, { variations: [id] }), (await kept.get(name)) ?? [])).toBe(
        true,
      )
    },
  )
})

type Plan = readonly (readonly [ms: number, count: number, probe?: string, credential?: string])[]

/** How many of the requests at each moment are served. */
const served = async ({ clock, times }: Asked, plan: Plan): Promise<number[]> => {
  const counts: number[] = []
  for (const [ms, count, probe, credential] of plan) {
    clock.ms = ms
    counts.push((await times(count, probe, credential)).filter(({ status }) => status === 200).length)
  }
  return counts
}

describe('a fault of a quota', () => {
  it.each<[string, ApiContract, Plan, number[], number[]]>([
    ['limit-plus-one', leakyBucket, [[0, 60]], [40], [41]],
    ['limit-plus-one', twoPolicies, [[0, 60]], [10], [11]],
    ['limit-minus-one', blocking, [[0, 60]], [10], [9]],
    [
      'window-halved',
      twoPolicies,
      [
        [0, 20],
        [1_000, 20],
      ],
      [10, 0],
      [10, 10],
    ],
    [
      'window-halved',
      leakyBucket,
      [
        [0, 60],
        [5_000, 60],
      ],
      [40, 10],
      [40, 20],
    ],
    [
      'window-doubled',
      blocking,
      [
        [0, 10],
        [2_000, 10],
      ],
      [10, 10],
      [10, 0],
    ],
    [
      'every-request-renews-the-window',
      byAddress,
      [
        [0, 5],
        [1_500, 5],
        [2_100, 5],
      ],
      [5, 5, 5],
      [5, 5, 0],
    ],
    ['nodes-count-alone', twoPolicies, [[0, 60]], [10], [40]],
    ['counts-lost', blocking, [[0, 60]], [10], [19]],
    [
      'credentials-share-a-count',
      blocking,
      [
        [0, 10],
        [0, 20, 'items', 'pro'],
      ],
      [10, 15],
      [10, 5],
    ],
    [
      'routes-count-alone',
      twoPolicies,
      [
        [0, 20],
        [0, 20, 'orders'],
      ],
      [10, 0],
      [10, 10],
    ],
    [
      'credentials-of-an-address-count-alone',
      byAddress,
      [
        [0, 20],
        [0, 20, 'items', 'pro'],
      ],
      [10, 0],
      [10, 10],
    ],
    ['cost-ignored', leakyBucket, [[0, 60, 'search']], [8], [40]],
    ['burst-ignored', leakyBucket, [[0, 60]], [40], [5]],
    ['burst-ignored', leakyBucket, [[0, 2, 'search']], [2], [1]],
    [
      'bucket-drops-fractions',
      leakyBucket,
      [
        [0, 39],
        [750, 1],
        [1_000, 2],
      ],
      [39, 1, 2],
      [39, 1, 1],
    ],
    [
      'block-missing',
      blocking,
      [
        [0, 11],
        [2_000, 10],
      ],
      [10, 0],
      [10, 10],
    ],
    [
      'block-too-short',
      blocking,
      [
        [0, 11],
        [6_000, 10],
        [10_000, 10],
      ],
      [10, 0, 10],
      [10, 10, 10],
    ],
    [
      'block-too-long',
      blocking,
      [
        [0, 11],
        [10_000, 10],
        [30_000, 10],
      ],
      [10, 10, 10],
      [10, 0, 10],
    ],
  ])('%s admits otherwise (%#)', async (id, contract, plan, healthy, departed) => {
    expect(await served(askContract(contract), plan)).toEqual(healthy)
    expect(await served(askContract(contract, { faults: [id] }), plan)).toEqual(departed)
  })

  it('check-then-increment admits who asks at once', async () => {
    const sideBySide = async (faults: string[]) => {
      const { ask } = askContract(twoPolicies, { faults })
      const answers = await Promise.all(Array.from({ length: 30 }, () => ask()))
      return answers.filter(({ status }) => status === 200).length
    }
    expect([await sideBySide([]), await sideBySide(['check-then-increment'])]).toEqual([10, 30])
  })
})

/** The third answer and the first refusal at 100 ms after the first one; both windows have 1.6 s left. */
const looked = async (asked: Asked): Promise<readonly [Seen, Seen]> => {
  await asked.times(2)
  asked.clock.ms = 100
  const answers = await asked.times(50)
  return [answers[0], answers.find(({ status }) => status !== 200) ?? answers[49]]
}

describe('a fault of what is shown', () => {
  it.each<[string, ApiContract, 'served' | 'refused', string, unknown, unknown]>([
    ['fields-missing-on-refusal', byAddress, 'refused', 'x-ratelimit-limit', '10', undefined],
    ['limit-of-none-shown', byAddress, 'served', 'x-ratelimit-limit', '10', '27'],
    ['limit-of-none-shown', leakyBucket, 'refused', 'x-shop-api-call-limit', '40/40', '57/57'],
    [
      'remaining-on-refusal',
      twoPolicies,
      'refused',
      'ratelimit',
      '"burst";r=0;t=2, "sustained";r=30;t=12',
      '"burst";r=1;t=2, "sustained";r=30;t=12',
    ],
    ['remaining-frozen', leakyBucket, 'served', 'x-shop-api-call-limit', '3/40', '1/40'],
    ['remaining-before-counting', byAddress, 'served', 'x-ratelimit-remaining', '7', '8'],
    ['reset-in-milliseconds', byAddress, 'served', 'x-ratelimit-reset', '1767225603', '1767225602300'],
    [
      'reset-in-milliseconds',
      twoPolicies,
      'served',
      'ratelimit',
      '"burst";r=7;t=2, "sustained";r=37;t=12',
      '"burst";r=7;t=1600, "sustained";r=37;t=11600',
    ],
    ['reset-as-delta', byAddress, 'served', 'x-ratelimit-reset', '1767225603', '2'],
    [
      'reset-as-epoch',
      twoPolicies,
      'served',
      'ratelimit',
      '"burst";r=7;t=2, "sustained";r=37;t=12',
      '"burst";r=7;t=1767225602, "sustained";r=37;t=1767225612',
    ],
    ['reset-two-windows-ahead', byAddress, 'served', 'x-ratelimit-reset', '1767225603', '1767225607'],
    [
      'reset-too-early',
      twoPolicies,
      'served',
      'ratelimit',
      '"burst";r=7;t=2, "sustained";r=37;t=12',
      '"burst";r=7;t=1, "sustained";r=37;t=6',
    ],
    ['retry-after-missing', blocking, 'refused', 'retry-after', '10', undefined],
    ['retry-after-with-unit', blocking, 'refused', 'retry-after', '10', '10 seconds'],
    ['retry-after-short', leakyBucket, 'refused', 'retry-after', '1', '0'],
    ['retry-after-long', twoPolicies, 'refused', 'retry-after', '2', '8'],
    ['refusal-cacheable', blocking, 'refused', 'cache-control', 'no-store', 'public, max-age=60'],
    ['block-missing', blocking, 'refused', 'retry-after', '10', '10'],
    ['block-too-short', blocking, 'refused', 'retry-after', '10', '10'],
    ['block-too-long', blocking, 'refused', 'retry-after', '10', '10'],
  ])('%s shows it (%#)', async (id, contract, which, name, healthy, departed) => {
    const at = which === 'served' ? 0 : 1
    expect((await looked(askContract(contract)))[at].headers[name]).toEqual(healthy)
    expect((await looked(askContract(contract, { faults: [id] })))[at].headers[name]).toEqual(departed)
  })

  it('names the wait as a date where that is agreed', async () => {
    const dated: ApiContract = { ...byAddress, retryAfter: { as: ['http-date'], level: 'must' } }
    const wait = async (faults: string[]) => (await looked(askContract(dated, { faults })))[1].headers['retry-after']
    expect([await wait([]), await wait(['retry-after-short'])]).toEqual([
      'Thu, 01 Jan 2026 00:00:03 GMT',
      'Thu, 01 Jan 2026 00:00:02 GMT',
    ])
  })

  it('is a status of its own where that is the fault', async () => {
    expect((await looked(askContract(blocking, { faults: ['refused-as-420'] })))[1].status).toBe(420)
  })
})

describe('a server whose refusals spend the other quota', () => {
  it('admits less in the longer window, and names its wait once nothing is left of it', async () => {
    const { times, clock } = askContract(twoPolicies, { variations: ['refusals-spend-the-other-quota'] })
    const admitted: number[] = []
    for (const ms of [0, 2_000, 4_000]) {
      clock.ms = ms
      const answers = await times(20)
      admitted.push(answers.filter(({ status }) => status === 200).length)
      const { headers } = answers[19]
      expect(headers['retry-after']).toBe(ms === 0 ? '2' : ms === 2_000 ? '10' : '8')
    }
    expect(admitted).toEqual([10, 10, 0])
  })
})
