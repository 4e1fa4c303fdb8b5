import { expect, it } from 'vitest'
import { limiters } from '../../certificate/limiters.js'
import { playedRun, rowsOf } from '../../certificate/testing/played-run.js'
import type { Evidence } from '../../evidence/evidence.js'
import { madeEvidence, madeKey, wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { seededRandom } from '../../kit/random.js'
import { accountingCheck, enterpriseAsAgreed } from '../../petstore/checks/quota.js'
import { inconclusive } from '../framework/finding.js'
import { loadedAgain } from '../framework/judged-clause.js'
import { verdictTable } from '../testing/verdict-table.js'
import { notOverAdmitted, notRefusedEarly } from './limit-kept.js'
import { plansApart } from './plans-apart.js'
import { algorithm } from './seen.js'
import { spellingsCheck } from './spellings.js'

const limits = { free: 60, pro: 300, enterprise: 400 } as const
type Plan = keyof typeof limits

/** Twice the limit and some more at once, of which `admitted` are. A boundary in the middle would admit twice it. */
const burst = (plan: Plan, admitted: number): MadeRow[] =>
  Array.from({ length: Math.ceil(limits[plan] * 2.2) }, (_, i) => ({
    sentMs: 1_000 + (i * 120) / limits[plan],
    tookMs: 0.05,
    status: i < admitted ? 200 : 429,
    retryAfter: i < admitted ? undefined : 55,
  }))

/** A run in which each plan's key was used once long before its burst. */
const run = (admitted: Partial<Record<Plan, number>>, more: readonly ExchangePart[] = []): Evidence => {
  const plans = Object.keys(admitted) as Plan[]
  return madeEvidence([...plans.map((plan) => ({ key: plan, sentAt: -200_000 })), ...more], {
    run: { keys: plans.map((plan) => madeKey(plan)) },
    ledgers: plans.map((plan) => madeLedger(burst(plan, admitted[plan] ?? 0), { id: `burst-${plan}`, key: plan })),
  })
}
const exact = { free: 60, pro: 300 }
const windowMs = 60_000

/** What is sent on a plan's key in all phases of a run, where it keeps to its limit. */
const wholeRows = (plan: Plan): MadeRow[] => {
  const window = { limit: limits[plan], windowMs }
  const make = () => limiters['sliding-log']({ ...window, epochOffsetMs: 0, random: seededRandom(7) })
  return rowsOf(playedRun(make, window))
}

/** A run in which each plan's key is asked so. */
const wholeRun = (...plans: readonly Plan[]): Evidence =>
  madeEvidence([], {
    run: { keys: plans.map((plan) => madeKey(plan)) },
    ledgers: plans.map((plan) => madeLedger(wholeRows(plan), { id: `burst-${plan}`, key: plan })),
  })
/** What both clauses are asked of is judged once. */
const exactRun = wholeRun('free', 'pro')
const together = (one: Evidence, other: Evidence): Evidence => ({
  ...one,
  run: { ...one.run, keys: [...one.run.keys, ...other.run.keys] },
  ledgers: [...one.ledgers, ...other.ledgers],
})
const lost = (): Evidence => {
  const rows = burst('free', 60).map((row, i) =>
    i > 120 ? { sentMs: row.sentMs, status: null, flags: ['lost'] as const } : row,
  )
  return madeEvidence([{ sentAt: -200_000 }], { ledgers: [madeLedger(rows)] })
}

/** A run in which a key's day had no room for a probe, or for the rest of it. */
const withoutRoom = (evidence: Evidence, probe: string, key: string): Evidence => ({
  ...evidence,
  probes: [
    ...evidence.probes,
    {
      type: 'probe',
      probe,
      key: probe === 'isolation' ? null : key,
      at: 0,
      end: 'skipped',
      reason: 'day-too-small',
      room: { key, needed: 61, left: 40 },
    },
  ],
})

const unloaded = (plan: Plan) => madeEvidence([{ key: plan }], { run: { keys: [madeKey(plan)] } })
const withKeys = (evidence: Evidence, ...plans: readonly Plan[]): Evidence => ({
  ...evidence,
  run: { ...evidence.run, keys: plans.map((plan) => madeKey(plan)) },
})
const noRoom = { verdict: 'inconclusive', code: 'no-room-in-day', facts: { needed: 61, left: 40 } } as const

verdictTable(notOverAdmitted, [
  ['one key’s day had no room for any load', withoutRoom(unloaded('free'), 'burst', 'free'), noRoom],
  [
    'one key’s day had no room, beside one that is exact',
    withoutRoom(withKeys(run({ pro: 300 }), 'free', 'pro'), 'split', 'free'),
    { ...noRoom, facts: { plan: 'free', probe: 'split', needed: 61, left: 40 } },
  ],
  [
    'a load was cut to the day, and what was played excludes one more and one less',
    withoutRoom(wholeRun('free'), 'split', 'free'),
    { verdict: 'pass' },
  ],
  [
    'one burst was played, whose boundary with a window before could hide one more',
    run({ free: 60 }),
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { plan: 'free', plans: ['free'], caught: 0 } },
  ],
  [
    'one burst was played on one of two plans, and the other excludes what it can',
    together(wholeRun('free'), run({ pro: 300 })),
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { plan: 'pro', plans: ['pro'] } },
  ],
  [
    'another plan admits too much where one key’s day had no room',
    withoutRoom(withKeys(run({ pro: 660 }), 'free', 'pro'), 'split', 'free'),
    { verdict: 'fail', facts: { plan: 'pro' } },
  ],
  [
    'every plan is exact',
    exactRun,
    { verdict: 'pass', code: 'explained-on-every-plan', facts: { plans: ['free', 'pro'] } },
  ],
  [
    'one plan admits too much',
    run({ ...exact, free: 132 }),
    { verdict: 'fail', code: 'no-limiter-explains', facts: { plan: 'free', limit: 60 } },
  ],
  [
    'one plan refuses too early',
    run({ ...exact, free: 30 }),
    { verdict: 'inconclusive', code: 'broken-the-other-way', facts: { plan: 'free' } },
  ],
  [
    'only Enterprise admits too much, which is another clause’s',
    together(wholeRun('free'), run({ enterprise: 880 })),
    { verdict: 'pass' },
  ],
  [
    'answers were lost',
    lost(),
    { verdict: 'inconclusive', code: 'quota-not-judged', facts: { reason: 'answers-lost' } },
  ],
  ['no load was put on any key', [{}], { verdict: 'not-tested', code: 'no-load-on-any-key' }],
])

verdictTable(notRefusedEarly, [
  ['every plan is exact', exactRun, { verdict: 'pass' }],
  ['one burst was played', run({ free: 60 }), { verdict: 'inconclusive', code: 'defect-may-hide' }],
  [
    'one plan refuses too early',
    run({ ...exact, free: 30 }),
    { verdict: 'fail', code: 'no-limiter-explains', facts: { plan: 'free', reason: 'early-refusal' } },
  ],
  [
    'one plan admits too much',
    run({ ...exact, free: 132 }),
    { verdict: 'inconclusive', code: 'broken-the-other-way', facts: { plan: 'free', plans: ['free'] } },
  ],
  [
    'each plan admits too much',
    run({ free: 132, pro: 660 }),
    { verdict: 'inconclusive', code: 'broken-the-other-way', facts: { plans: ['free', 'pro'], clause: 'QUOTA-1' } },
  ],
  ['answers were lost', lost(), { verdict: 'inconclusive' }],
  ['no load was put on any key', [{}], { verdict: 'not-tested' }],
])

/** A run whose loads leave ten of the day; then so many more are admitted, and 20 refused until the day ends. */
const nearlySpent = (rest?: number): Evidence => {
  const limit = limits.enterprise
  const rows = wholeRows('enterprise').map((row) => ({ ...row, limit }))
  const longer = rows.filter(({ status = 200 }) => status === 200).length + 10
  const fromMs = rows[rows.length - 1].sentMs + 2 * windowMs
  const last = Array.from({ length: (rest ?? 0) + 20 }, (_, i): MadeRow => {
    const sentMs = fromMs + 100 * i
    const isAdmitted = i < (rest ?? 0)
    // One second off a quarter of an hour: the run did not begin with the calendar's day.
    const reset = wallStartMs / 1_000 + 86_401
    if (isAdmitted) return { sentMs, limit: longer, remaining: Math.max(0, 9 - i), reset }
    return { sentMs, limit: longer, remaining: 0, reset, status: 429, retryAfter: 86_400 - Math.floor(sentMs / 1_000) }
  })
  const restOfDay = madeLedger(last, { id: 'daily', probe: 'daily', key: 'enterprise' })
  return madeEvidence([], {
    run: { keys: [{ ...madeKey('enterprise'), quota: { limit, longer } }] },
    ledgers: [madeLedger(rows, { id: 'burst', key: 'enterprise' }), ...(rest === undefined ? [] : [restOfDay])],
  })
}

/** The same, with a day of so many requests for each key. */
const ofDay = (evidence: Evidence, longer: number): Evidence => ({
  ...evidence,
  run: { ...evidence.run, keys: evidence.run.keys.map((key) => ({ ...key, quota: { ...key.quota, longer } })) },
})

verdictTable(enterpriseAsAgreed, [
  [
    'its day is nearly spent, and nothing shows where it ends',
    nearlySpent(),
    { verdict: 'inconclusive', code: 'day-not-ended' },
  ],
  ['its day was spent, and kept', nearlySpent(10), { verdict: 'pass', code: 'day-as-agreed' }],
  ['its day admits one more', nearlySpent(11), { verdict: 'fail', code: 'day-not-explained' }],
  [
    'it is held to those of the minute, and nothing is said of its day',
    together(wholeRun('enterprise'), run(exact)),
    { verdict: 'pass', code: 'minute-as-agreed', facts: { limit: 400, longer: 20_000 } },
  ],
  [
    'one burst was played, and another limit could hide',
    run({ enterprise: 400 }),
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { plan: 'enterprise', tooSmallDay: null } },
  ],
  [
    'one burst was played, and a day of two minutes has no room for what would tell another limit',
    ofDay(run({ enterprise: 400 }), 800),
    {
      verdict: 'inconclusive',
      code: 'defect-may-hide',
      facts: { plan: 'enterprise', settledBy: 802, tooSmallDay: 800 },
    },
  ],
  [
    'it gets the Pro limit',
    run({ enterprise: 300 }),
    {
      verdict: 'fail',
      code: 'enterprise-not-as-agreed',
      facts: { limit: 400, looksLike: 'requests-count-twice', looksLikeFacts: { limit: 200 } },
    },
  ],
  ['it gets too much', run({ enterprise: 880 }), { verdict: 'fail' }],
  ['there is no such key', run(exact), { verdict: 'not-tested', code: 'no-enterprise-key' }],
  [
    'its day had no room for any load',
    withoutRoom(withKeys(run(exact), 'free', 'pro', 'enterprise'), 'burst', 'enterprise'),
    { ...noRoom, facts: { plan: 'enterprise', probe: 'burst', needed: 61, left: 40 } },
  ],
  ['another plan’s day had no room', withoutRoom(wholeRun('enterprise'), 'burst', 'free'), { verdict: 'pass' }],
])

verdictTable(algorithm, [
  [
    'a burst says what it can',
    run({ free: 60 }),
    {
      verdict: 'observed',
      facts: {
        plans: [
          {
            plan: 'free',
            models: [
              'fixed-window',
              'fixed-window-first-request',
              'interval-refill',
              'interval-refill-idle',
              'sliding-log',
              'sliding-counter',
              'token-bucket',
              'gcra',
            ],
          },
        ],
      },
    },
  ],
  ['no model fits', run({ free: 132 }), { verdict: 'observed', facts: { plans: [{ plan: 'free', models: [] }] } }],
  ['no load was put on any key', [{}], { verdict: 'not-tested' }],
])

const shown = (remaining: number, part: ExchangePart = {}): ExchangePart => ({
  headers: { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': String(remaining) },
  ...part,
})
verdictTable(accountingCheck, [
  [
    'some count and some do not',
    [
      shown(59),
      shown(58),
      shown(58, { status: 401 }),
      shown(57, { status: 404 }),
      shown(57, { operation: null, method: 'HEAD' }),
      shown(56, { status: 400 }),
      shown(56, { status: 400 }),
    ],
    { verdict: 'observed', facts: { counted: ['200', '404'], free: ['401', 'HEAD'], unclear: ['400'] } },
  ],
  [
    'somebody else spends, or a window ends',
    [shown(59), shown(40), shown(60)],
    { verdict: 'observed', facts: { counted: [], free: [], unclear: [] } },
  ],
  [
    'Limit or Remaining is missing, or another window is shown',
    [
      shown(59),
      { headers: { 'X-RateLimit-Limit': '60' } },
      { headers: { 'X-RateLimit-Remaining': '58' } },
      { headers: { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '57' } },
    ],
    { verdict: 'observed', facts: { counted: [], free: [] } },
  ],
  ['nothing was answered', [{ status: null }], { verdict: 'observed', facts: { counted: [] } }],
])

const beside = (status: number, part: ExchangePart = {}): ExchangePart => ({
  probe: 'isolation',
  step: 'beside',
  key: 'free',
  status,
  sentAt: 2_000,
  intent: { spent: 'pro' },
  ...part,
})
const besides = (...parts: readonly ExchangePart[]) =>
  madeEvidence(parts, { run: { keys: [madeKey('free'), madeKey('pro')] } })
/** So many requests of the Pro key, admitted in the second before the other key asks. */
const besideSpending = (admitted: number, part: ExchangePart = {}, refusedAt: readonly number[] = [], limit = 300) =>
  madeEvidence([beside(200, part)], {
    run: { keys: [madeKey('free'), madeKey('pro')] },
    ledgers: [
      madeLedger(
        [
          ...Array.from({ length: admitted }, (_, i) => ({ sentMs: 1_000 + i })),
          ...refusedAt.map((sentMs) => ({ sentMs, status: 429, limit, remaining: 0 })),
        ],
        { id: 'isolation-pro', probe: 'isolation', key: 'pro' },
      ),
    ],
  })
/** Lists of the Free key that show what is left, with a PATCH of the Pro key before each but the first. */
const besideChanges = (...left: readonly number[]) =>
  left.flatMap((each, i): ExchangePart[] => [
    ...(i > 0
      ? [{ probe: 'isolation', step: 'patch', key: 'pro', method: 'PATCH', path: '/inventory/2', sentAt: 100 * i - 50 }]
      : []),
    { ...shown(each), probe: 'isolation', step: i > 0 ? 'ahead' : 'before', key: 'free', sentAt: 100 * i },
  ])
verdictTable(plansApart, [
  [
    'each PATCH of the other key is taken from Remaining too',
    besides(...besideChanges(24, 22, 20, 18), beside(200, shown(17))),
    { verdict: 'fail', code: 'drawn-by-another-plan', facts: { plan: 'free', spent: 'pro', times: 3 } },
  ],
  [
    'one PATCH of three is not',
    besides(...besideChanges(24, 22, 20, 19), beside(200, shown(18))),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'two PATCHes were: somebody else may have come twice',
    besides(...besideChanges(24, 22, 20), beside(200, shown(19))),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['a key’s day had no room to spend it', withoutRoom(besideSpending(300), 'isolation', 'free'), noRoom],
  ['no key’s day had room for it', withoutRoom(unloaded('free'), 'isolation', 'free'), noRoom],
  [
    'the other key is served, and shows more left than a shared bucket had got back',
    besideSpending(300, shown(59), [1_400]),
    { verdict: 'pass', facts: { kinds: ['free'] } },
  ],
  [
    'the other key is served, and shows as much left as a shared bucket had got back',
    besideSpending(300, shown(1), [1_400]),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'so little was spent that a shared quota would not have run out',
    besideSpending(59),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ...(
    [
      ['was refused right before, and has the larger limit', 1_900, 'pass'],
      ['was refused before a bucket may have had a token back', 1_750, 'inconclusive'],
      ['was refused after', 2_010, 'inconclusive'],
    ] as const
  ).map(([title, at, verdict]) => [`the spent key ${title}`, besideSpending(50, {}, [at]), { verdict }] as const),
  ['a day refused the spent key', besideSpending(50, {}, [1_900], 10_000), { verdict: 'inconclusive' }],
  [
    'the spent key has the smaller limit: what they share may hold more',
    besideSpending(50, { key: 'pro', intent: { spent: 'free' } }, [1_990]),
    { verdict: 'inconclusive' },
  ],
  [
    'the other key is refused, though it had room',
    besides(shown(59, { sentAt: 1_000 }), beside(429)),
    { verdict: 'fail', code: 'held-back-by-another-plan', facts: { plan: 'free', spent: 'pro', sent: 1, limit: 60 } },
  ],
  [
    'the other key is refused, and had said that it was nearly spent',
    besides(shown(1, { sentAt: 1_000 }), beside(429)),
    { verdict: 'inconclusive', code: 'key-spent-already' },
  ],
  ['the other key is refused, and nothing is known of it', besides(beside(429)), { verdict: 'inconclusive' }],
  [
    'a key has the limit of another plan',
    run({ free: 60, pro: 60 }, [beside(200)]),
    { verdict: 'fail', code: 'limit-of-another-plan', facts: { plan: 'pro', limit: 300, seen: 60, other: 'free' } },
  ],
  ['there is only one plan', [], { verdict: 'not-tested', code: 'one-plan-only' }],
])

const spelt = (nth: number, status: number): ExchangePart => ({
  probe: 'burst',
  step: 'spelling',
  sentAt: 1_500 + nth,
  tookMs: 0.5,
  status,
  headers: status === 429 ? { 'Retry-After': '55' } : {},
  intent: { spelling: `spelling ${nth % 3}` },
})
const spellings = (count: number, status: number) => Array.from({ length: count }, (_, i) => spelt(i, status))
/** The third spelling, admitted so often. */
const ofThird = (count: number) => Array.from({ length: count }, (_, i) => spelt(2 + 3 * i, 200))
/** A run in which the path with a capital letter is served with that media type, and the plain one as JSON. */
const capitals = (type: string): Evidence => {
  const asked = Array.from({ length: 70 }, (_, i) => ({
    ...spelt(10 + i, 200),
    operation: null,
    intent: { spelling: 'a capital letter' },
  }))
  const made = run({ free: 60 }, [...spellings(9, 429), ...asked])
  const exchanges = made.exchanges.map((x) =>
    x.intent.spelling === 'a capital letter' && x.response
      ? { ...x, response: { ...x.response, headers: [['Content-Type', type] as const] } }
      : x,
  )
  return { ...made, exchanges }
}
const inOtherCase = Array.from({ length: 70 }, (_, i) => ({
  ...spelt(10 + i, 200),
  credential: 'key-in-other-case',
  intent: { spelling: 'the key in other letter case' },
}))
const nobodysKey = (status: number) => ({
  ...spelt(90, status),
  step: 'unknown-key',
  credential: 'unknown-key',
  intent: {},
})
verdictTable(spellingsCheck, [
  ['each is refused', run({ free: 60 }, spellings(9, 429)), { verdict: 'pass', facts: { told: 9 } }],
  [
    'one spelling was only ever admitted, which a refill explains: it tells nothing',
    run({ free: 60 }, [...spellings(2, 429), spelt(2, 200)]),
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['spelling 2'] } },
  ],
  [
    'one is admitted, which a refill explains',
    run({ free: 60 }, [...spellings(9, 429), spelt(9, 200)]),
    { verdict: 'pass', facts: { told: 9 } },
  ],
  [
    'many are admitted',
    run({ free: 60 }, spellings(70, 200)),
    {
      verdict: 'fail',
      code: 'spelling-opens-quota',
      facts: { admitted: 70, spellings: ['spelling 0', 'spelling 1', 'spelling 2'] },
    },
  ],
  [
    'as many are admitted as a window of a third of the length would admit, so they may be counted with the others',
    run(
      { free: 60 },
      Array.from({ length: 120 }, (_, i) => ({ ...spelt(i, 200), sentAt: (i < 60 ? 25_000 : 50_000) + i })),
    ),
    { verdict: 'fail', code: 'spelling-opens-quota', facts: { admitted: 120, mayBeShort: true } },
  ],
  [
    'one is admitted, and the others are refused: both are told, and the refusal before it is shown',
    run({ free: 60 }, [spelt(3, 429), spelt(1, 429), ...ofThird(70)]),
    {
      verdict: 'fail',
      facts: { admitted: 70, spellings: ['spelling 2'], refused: ['spelling 0', 'spelling 1'] },
      witnesses: ['burst-free#131', ...Array.from({ length: 70 }, (_, i) => `x${i + 4}`)],
    },
  ],
  [
    'one that a refill admitted once is not told as one that opens a quota',
    run({ free: 60 }, [spelt(0, 429), spelt(3, 200), spelt(1, 429), ...ofThird(70)]),
    { verdict: 'fail', facts: { spellings: ['spelling 2'], refused: ['spelling 0', 'spelling 1'] } },
  ],
  [
    'each was admitted more often than a refill explains, and refused in the same moment: none has a quota of its own',
    run({ free: 60 }, [...spellings(3, 429), ...spellings(70, 200)]),
    { verdict: 'inconclusive', code: 'spellings-share-more' },
  ],
  [
    'the plain question is admitted without end',
    run({ free: 132 }, spellings(9, 200)),
    { verdict: 'inconclusive', code: 'plain-quota-open' },
  ],
  [
    'many are admitted, and the limiter is broken on another key',
    run({ free: 60, pro: 650 }, spellings(70, 200)),
    { verdict: 'inconclusive', code: 'plain-quota-open', facts: { plan: 'pro' } },
  ],
  ['none was asked', run({ free: 60 }), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'a path in another spelling is served as the page that any path gets',
    capitals('text/html; charset=utf-8'),
    { verdict: 'pass', facts: { told: 9 } },
  ],
  [
    'a path in another spelling is served as the plain one is',
    capitals('Application/JSON'),
    { verdict: 'fail', facts: { spellings: ['a capital letter'] } },
  ],
  [
    'the key in other letter case is admitted, and a key that nobody has is not',
    run({ free: 60 }, [...spellings(9, 429), ...inOtherCase, nobodysKey(401)]),
    { verdict: 'fail', facts: { admitted: 70, spellings: ['the key in other letter case'] } },
  ],
  [
    'the key in other letter case is admitted, in a run that did not ask with a key that nobody has',
    run({ free: 60 }, [...spellings(9, 429), ...inOtherCase]),
    { verdict: 'fail', facts: { admitted: 70 } },
  ],
  [
    'the key in other letter case is admitted, as any key is',
    run({ free: 60 }, [...spellings(9, 429), ...inOtherCase, nobodysKey(200)]),
    { verdict: 'pass', facts: { told: 9 } },
  ],
  [
    'another spelling is admitted where any key is',
    run({ free: 60 }, [...spellings(70, 200), nobodysKey(200)]),
    { verdict: 'fail', facts: { admitted: 70 } },
  ],
])

it.each(loadedAgain)(
  'is settled by $probe on every plan at once, also where they are open for different reasons',
  (again) => {
    const finding = inconclusive('quota-not-judged', {
      plan: 'free',
      reason: 'generator-late',
      plans: ['free'],
      unsettled: ['pro'],
    })
    expect(again.settings(finding)).toMatchObject({ plans: ['free', 'pro'] })
  },
)
