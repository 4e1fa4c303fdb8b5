import { madeEvidence, madeKey, wallStartMs } from '../../evidence/testing/made-evidence.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { dayLimit, keysOfAPlan } from '../../petstore/checks/quota.js'
import { verdictTable } from '../testing/verdict-table.js'
import { cost } from './seen.js'

const day = { limit: 60, longer: 100 }
const keys = [{ name: 'free', plan: 'free' as const, quota: day }]
const secondMs = 1_000
const dayMs = 86_400_000

/** A day of 100 that is spent one a second; from `refusedFrom` on nothing is admitted. */
const spentDay = (
  refusedFrom: number,
  requests: number,
  { startMs = 0, reset = wallStartMs + dayMs } = {},
): MadeRow[] =>
  Array.from({ length: requests }, (_, i) => ({
    sentMs: startMs + i * secondMs,
    limit: day.longer,
    remaining: Math.max(0, day.longer - 1 - i),
    // One second off a quarter of an hour: the run did not begin with the calendar's day.
    reset: reset / 1000 + 1,
    ...(i < refusedFrom ? {} : { status: 429, retryAfter: dayMs / 1000 }),
  }))

/** A bucket of 100 a day that is spent one each 9 s: by 900 s one has flown in, and the next is due at 1,728 s. */
const spentBucket = (nextS: number): MadeRow[] =>
  Array.from({ length: 122 }, (_, i) => ({
    sentMs: 9 * i * secondMs,
    ...(i < 101
      ? { limit: day.limit, remaining: day.limit - 1, reset: wallStartMs / 1000 + 9 * i + 60 }
      : { limit: day.longer, remaining: 0, reset: wallStartMs / 1000 + nextS, status: 429, retryAfter: nextS - 9 * i }),
  }))

const played = (rows: readonly MadeRow[], unused = true) =>
  madeEvidence(
    [{ sentAt: -500, headers: { Date: new Date(wallStartMs).toUTCString() }, key: null, credential: 'none' }],
    {
      run: { keys, probes: [{ probe: 'daily', settings: { unused } }] },
      ledgers: [madeLedger(rows, { id: 'daily-free', probe: 'daily' })],
    },
  )

verdictTable(dayLimit, [
  ['exactly the day was admitted', played(spentDay(100, 120)), { verdict: 'pass', code: 'days-explained' }],
  ['one more was admitted', played(spentDay(101, 120)), { verdict: 'fail', facts: { plan: 'free', admitted: 101 } }],
  ['one less was admitted', played(spentDay(99, 120)), { verdict: 'fail', facts: { reason: 'early-refusal' } }],
  ['nothing is ever refused', played(spentDay(250, 250)), { verdict: 'fail', facts: { admitted: 250 } }],
  [
    'one less was admitted, and the key may have been used before',
    played(spentDay(99, 120), false),
    { verdict: 'inconclusive', facts: { plan: 'free', reason: 'used-before' } },
  ],
  ['exactly the day was admitted to such a key', played(spentDay(100, 120), false), { verdict: 'pass' }],
  [
    'one more was admitted by a bucket, which names the moment of its next token 20 times',
    played(spentBucket(1_728), false),
    { verdict: 'pass', facts: { plans: [{ plan: 'free', models: ['token-bucket', 'gcra'] }] } },
  ],
  [
    'one more was admitted, and a day is named that ends hours later',
    played(spentBucket(40_001), false),
    { verdict: 'fail', facts: { admitted: 101 } },
  ],
  [
    'the day was not reached',
    played(spentDay(90, 90)),
    { verdict: 'inconclusive', facts: { reason: 'limit-never-reached' } },
  ],
  [
    'no day fits',
    madeEvidence([], { run: { keys: [madeKey('business')] } }),
    { verdict: 'not-tested', facts: { untested: [{ plan: 'business', requests: 100_000, hours: 1.7 }] } },
  ],
])

const answers = (from: number, count: number, status: number, tookMs: number): MadeRow[] =>
  Array.from({ length: count }, (_, i) => ({ sentMs: from + i * 10, tookMs, status }))

/** A burst with all keys at once, and the profile that plays them one after the other: on Free, and so on Enterprise. */
const costProfile = (enterprise: readonly MadeRow[]) =>
  madeEvidence([], {
    run: {
      keys: [madeKey('free'), madeKey('enterprise')],
      probes: [{ probe: 'cost', settings: { unlimited: 'enterprise' } }],
    },
    ledgers: [
      madeLedger([...answers(0, 20, 200, 9), ...answers(210, 20, 429, 9)]),
      madeLedger([...answers(0, 20, 200, 3), ...answers(210, 20, 429, 1)], { id: 'cost-1-free', probe: 'cost' }),
      madeLedger(enterprise, { id: 'cost-1-enterprise', probe: 'cost', key: 'enterprise' }),
    ],
  })

verdictTable(cost, [
  [
    'admitted and refused answers differ',
    madeEvidence([], { ledgers: [madeLedger([...answers(0, 21, 200, 4), ...answers(210, 11, 429, 1)])] }),
    {
      verdict: 'observed',
      facts: {
        plans: [
          {
            plan: 'free',
            admitted: { count: 21, medianMs: 4, perSecond: 100 },
            refused: { count: 11, medianMs: 1, perSecond: 100 },
            refusing: 0.25,
            serving: null,
          },
        ],
        unlimited: null,
      },
    },
  ],
  [
    'the machine stood still for as long as answers took',
    madeEvidence([], {
      ledgers: [madeLedger([...answers(0, 21, 200, 40), ...answers(210, 11, 429, 30)], { stoodStillMs: 35 })],
    }),
    {
      verdict: 'observed',
      facts: {
        plans: [{ plan: 'free', admitted: { medianMs: 40 }, refused: { medianMs: 30 }, refusing: null, serving: null }],
      } as never,
    },
  ],
  [
    'loads had the target to themselves, and one key is refused nothing',
    costProfile(answers(0, 21, 200, 2)),
    {
      verdict: 'observed',
      facts: {
        plans: [{ plan: 'free', admitted: { medianMs: 3 }, refused: { medianMs: 1 }, refusing: 0.33, serving: 1.5 }],
        unlimited: { plan: 'enterprise', admitted: { count: 21, medianMs: 2, perSecond: 100 } },
      } as never,
    },
  ],
  [
    'the key that was called unlimited is refused something',
    costProfile([...answers(0, 20, 200, 2), ...answers(210, 20, 429, 1)]),
    {
      verdict: 'observed',
      facts: { plans: [{ plan: 'free' }, { plan: 'enterprise' }], unlimited: null } as never,
    },
  ],
  [
    'too few are refused for a rate',
    madeEvidence([], { ledgers: [madeLedger([...answers(0, 20, 200, 4), ...answers(210, 3, 429, 1)])] }),
    { verdict: 'observed', facts: { plans: [{ refused: { count: 3, perSecond: null } }] } as never },
  ],
  [
    'all refusals came in one wave',
    madeEvidence([], { ledgers: [madeLedger([...answers(0, 21, 200, 4), ...answers(210, 11, 429, 110)])] }),
    { verdict: 'observed', facts: { plans: [{ refused: { count: 11, perSecond: null } }] } as never },
  ],
  [
    'nothing is refused',
    madeEvidence([], { ledgers: [madeLedger(answers(0, 20, 200, 4))] }),
    { verdict: 'not-tested', code: 'nothing-to-compare' },
  ],
  [
    'the load was paced',
    madeEvidence([], {
      ledgers: [madeLedger([...answers(0, 20, 200, 4), ...answers(210, 20, 429, 1)], { probe: 'steady' })],
    }),
    { verdict: 'not-tested' },
  ],
])

const pair = { run: { keys: [madeKey('free'), madeKey('free', 'free-2')] } }
const second = (step: string, status: number | null) => ({ probe: 'same-plan', step, key: 'free-2', status })

verdictTable(keysOfAPlan, [
  [
    'the second is refused once the first is spent',
    madeEvidence([second('before', 200), second('beside', 429)], pair),
    { verdict: 'observed', facts: { plan: 'free', shared: true }, witnesses: ['x1', 'x2'] },
  ],
  [
    'the second is served all the same',
    madeEvidence([second('before', 200), second('beside', 200)], pair),
    { verdict: 'observed', facts: { plan: 'free', shared: false } },
  ],
  [
    'the second was refused from the start',
    madeEvidence([second('before', 429), second('beside', 429)], pair),
    { verdict: 'inconclusive', code: 'second-key-not-answered' },
  ],
  [
    'the second is not answered',
    madeEvidence([second('before', 200), second('beside', null)], pair),
    { verdict: 'inconclusive' },
  ],
  ['the first was never refused', madeEvidence([second('before', 200)], pair), { verdict: 'not-tested' }],
])
