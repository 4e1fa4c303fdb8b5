import { modelNames } from '../../contract/limiter-models.js'
import type { Evidence } from '../../evidence/evidence.js'
import { type EvidencePart, madeEvidence, wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { verdictTable } from '../testing/verdict-table.js'
import { notCacheable, refusedAtOnce } from './refusals.js'
import { retryAfterForm, retryAfterNotLong, retryAfterPresent } from './retry-after.js'
import { retryAfterHonest } from './retry-after-honest.js'

const refused = (
  headers: Readonly<Record<string, string>> = { 'Retry-After': '30' },
  part: ExchangePart = {},
): ExchangePart => ({ status: 429, headers, ...part })
const load = (rows: readonly MadeRow[], part: EvidencePart = {}): Evidence =>
  madeEvidence([], { ledgers: [madeLedger(rows)], ...part })
const cached = (value: string) => refused({ 'Cache-Control': value })

const now = 'Mon, 01 Jan 2035 00:00:00 GMT'
const inAMinute = 'Mon, 01 Jan 2035 00:01:00 GMT'

verdictTable(notCacheable, [
  ['nothing is said', [refused()], { verdict: 'pass', witnesses: ['x1'] }],
  ...['no-store', 'private', 'max-age=0', 'public, no-store', 'no-cache', 's-maxage=00'].map(
    (value) => [`it is marked ${value}`, [cached(value)], { verdict: 'pass' }] as const,
  ),
  ...['max-age=60', 'private, max-age=60', 'Public', 's-maxage="5"', 'must-revalidate, max-age=010'].map(
    (value) =>
      [
        `it is marked ${value}`,
        [refused(), cached(value)],
        { verdict: 'fail', code: 'refusal-cacheable', facts: { cacheControl: value }, witnesses: ['x2'] },
      ] as const,
  ),
  ...(
    [
      ['an Expires in a minute makes it cacheable', { Expires: inAMinute, Date: now }, 'fail'],
      [
        'beside a Cache-Control that says nothing of it too',
        { Expires: inAMinute, Date: now, 'Cache-Control': 'must-revalidate' },
        'fail',
      ],
      ['Cache-Control overrules it', { Expires: inAMinute, Date: now, 'Cache-Control': 'no-cache' }, 'pass'],
      ['so does an age of none', { Expires: inAMinute, Date: now, 'Cache-Control': 'max-age=0' }, 'pass'],
      ['an Expires that is now is over', { Expires: now, Date: now }, 'pass'],
      ['one that is no date is over', { Expires: '0', Date: now }, 'pass'],
      ['without a Date nobody can tell', { Expires: inAMinute }, 'pass'],
    ] as const
  ).map(([name, headers, verdict]) => [name, [refused(headers)], { verdict }] as const),
  ['only an admission is marked so', [{ headers: { 'Cache-Control': 'public' } }, refused()], { verdict: 'pass' }],
  [
    'the sample of a load is marked so',
    madeEvidence([], {
      ledgers: [
        madeLedger([{ sentMs: 1, status: 429 }], {
          samples: [
            {
              row: 0,
              status: 429,
              reason: '',
              headers: [['cache-control', 'public']],
              body: { encoding: 'utf8', content: '', bytes: 0, truncated: false },
            },
          ],
        }),
      ],
    }),
    { verdict: 'fail', witnesses: ['burst-free#0'] },
  ],
  ['nothing was refused, and nothing asked for it', [{}], { verdict: 'not-tested', code: 'not-asked' }],
  [
    'nothing was refused, though a load asked for it',
    [{ probe: 'burst' }],
    { verdict: 'inconclusive', code: 'not-told' },
  ],
])

verdictTable(retryAfterPresent, [
  ['it is on each', [refused(), refused({ 'retry-after': '0' }), {}], { verdict: 'pass', facts: { told: 2 } }],
  [
    'one lacks it',
    [refused(), refused({})],
    { verdict: 'fail', code: 'no-retry-after', facts: { others: 0 }, witnesses: ['x2'] },
  ],
  [
    'a line of a load lacks it',
    load([
      { sentMs: 1, status: 429, retryAfter: 5 },
      { sentMs: 2, status: 429 },
    ]),
    { verdict: 'fail', witnesses: ['burst-free#1'] },
  ],
  ['a ban’s 403 lacks it', [refused(), { status: 403 }], { verdict: 'pass' }],
  ['nothing was refused', [{}], { verdict: 'not-tested' }],
])

verdictTable(retryAfterForm, [
  [
    'it is seconds or a date',
    [refused(), refused({ 'Retry-After': 'Thu, 15 Jan 2026 12:01:00 GMT' })],
    { verdict: 'pass' },
  ],
  [
    'it is a fraction',
    [refused({ 'Retry-After': '1.5' })],
    { verdict: 'fail', code: 'retry-after-malformed', facts: { text: '1.5' } },
  ],
  ['it is below 0', [refused({ 'Retry-After': '-1' })], { verdict: 'fail' }],
  ['it is missing, which is another clause’s', [refused({})], { verdict: 'pass' }],
  [
    'a load shows what is no number',
    load([{ sentMs: 1, status: 429, retryAfter: Number.POSITIVE_INFINITY }]),
    { verdict: 'fail' },
  ],
  ['nothing was refused', [{}], { verdict: 'not-tested' }],
])

/** A refusal that asks for 30 s, answered after a second of the run, and one request so long after that. */
const waited = (afterMs: number, next: ExchangePart, wait = '30'): ExchangePart[] => [
  refused({ 'Retry-After': wait }, { sentAt: 998 }),
  { sentAt: 1_000 + afterMs, ...next },
]
const again = refused({ 'Retry-After': '20' })
/** The same refusal read in three more parts of a second before it, each naming the same moment. */
const inParts = (...parts: readonly ExchangePart[]): ExchangePart[] => [
  ...[98, 348, 798].map((sentAt) => refused({ 'Retry-After': '31' }, { sentAt })),
  ...parts,
]
const later = (byMs: number, parts: readonly ExchangePart[]): ExchangePart[] =>
  parts.map((part) => ({ ...part, sentAt: (part.sentAt ?? 0) + byMs }))
/** A run by a contract that promises nothing of early refusals, so that a limiter may count what it refuses. */
const atMost = (...parts: ExchangePart[]): Evidence => {
  const quotas = [madeQuota({ models: [...modelNames], exact: { over: 0, early: null } })]
  const keys = [{ name: 'free', plan: 'free', quota: { limit: 60, longer: 1 } }]
  const made = madeEvidence(
    parts.map((part) => ({ ...part, credential: 'agreed' as const })),
    { run: { contract: madeContract([], { quotas }), keys } },
  )
  return quotaView({ ...made, exchanges: made.exchanges.map((x) => ({ ...x, operation: 'items' })) }, 'core')
}
/** A run by a contract whose search costs five: a refusal, and what came to who waited for as long as that named. */
const costing = (refusedAsk: string, next: string): Evidence => {
  const cost = { items: 1, search: 5 }
  const quotas = [madeQuota({ models: ['token-bucket'], requests: ['items', 'search'], cost })]
  const keys = [{ name: 'free', plan: 'free', quota: { limit: 60, longer: 1 } }]
  const parts = waited(30_000, again).map((part) => ({ ...part, credential: 'agreed' as const }))
  const made = madeEvidence(parts, { run: { contract: madeContract([], { quotas }), keys } })
  const exchanges = made.exchanges.map((x, i) => ({ ...x, operation: i === 0 ? refusedAsk : next }))
  return quotaView({ ...made, exchanges }, 'core')
}
/** A refusal that names 1 s, and what came to a request that was sent later; each was written at that second. */
const repeated = (sentAt: number, second: number, ...age: readonly string[]): ExchangePart[] => {
  const dated = (of: number) => new Date(wallStartMs + of * 1000).toUTCString()
  const answered = (at: number, of: number): ExchangePart => ({ sentAt: at, status: 404, headers: { Date: dated(of) } })
  const written = (at: number, of: number, ages: readonly string[] = []): ExchangePart => ({
    ...{ sentAt: at, status: 429 },
    headers: {
      ...{ 'Retry-After': '1', Date: dated(of) },
      ...Object.fromEntries(ages.map((each) => ['Age', each])),
    },
  })
  return [{ sentAt: 0 }, written(10, 0), written(500, 0), answered(1_100, 1), written(sentAt, second, age)]
}

verdictTable(retryAfterHonest, [
  [
    'a cache repeats a refusal of more than a second ago',
    repeated(1_300, 0),
    { verdict: 'fail', code: 'refusal-repeated', facts: { promisedMs: 1_000, plan: 'free' } },
  ],
  [
    'a cache repeats a refusal, and says how old it is',
    repeated(1_040, 0, '1'),
    { verdict: 'fail', code: 'refusal-repeated' },
  ],
  [
    'a refusal may have been written in the same second, by another node',
    repeated(1_040, 0, '0'),
    { verdict: 'inconclusive', code: 'wait-overtaken' },
  ],
  ['Date never moves on', repeated(1_300, 0).toSpliced(3, 1), { verdict: 'inconclusive', code: 'wait-overtaken' }],
  ['a refusal is written anew', repeated(1_300, 1), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'who waits is admitted, whatever part of a second the refusal was read in',
    inParts(...waited(30_000, {})),
    { verdict: 'pass', code: 'told', facts: { told: 4 } },
  ],
  [
    'who waits is admitted: a wait that is a second too short would have brought it too early, one of 0.3 s not always',
    waited(30_000, {}),
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { defects: ['wait-0.3s'] } },
  ],
  [
    'one was refused so late in its second that 0.3 s less would have been a second less, and the next was not',
    inParts(...waited(30_000, {})).slice(2),
    { verdict: 'pass', code: 'told', facts: { told: 2 } },
  ],
  [
    'none was refused so late in its second',
    inParts(...waited(30_000, {})).filter((_, i) => i !== 2),
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { defects: ['wait-0.3s'] } },
  ],
  [
    'each refusal comes just after its window began: seconds rounded to the nearest would not have shown',
    [0, 43_250, 86_500, 129_750].flatMap((at) => [
      refused({ 'Retry-After': '30' }, { sentAt: at }),
      { sentAt: at + 30_100 },
    ]),
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { defects: ['wait-0.3s'] } },
  ],
  [
    'nobody is there until half a second later: cut-off seconds would not have shown',
    inParts(...waited(31_500, {})),
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { defects: ['wait-0.3s', 'wait-1s'] } },
  ],
  [
    'who waits is refused again',
    waited(30_000, again),
    {
      verdict: 'fail',
      code: 'refused-after-waiting',
      facts: {
        promisedMs: 30_000,
        waitedMs: 30_000,
        status: 429,
        nextWaitMs: 20_000,
        resetLaterMs: null,
        waits: [{ plan: 'free', tried: 1, tooShort: 1 }],
      },
      witnesses: ['x1', 'x2'],
    },
  ],
  ['who waits is refused again for what costs as much', costing('search', 'search'), { verdict: 'fail' }],
  [
    'who waits is refused for what costs more than what was refused',
    costing('items', 'search'),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'one of two waits is too short',
    [...waited(30_000, again), { sentAt: 70_000 }],
    { verdict: 'fail', facts: { waits: [{ plan: 'free', tried: 2, tooShort: 1 }] } },
  ],
  ['nobody waits long enough', waited(29_999, again), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'somebody asks in between: of both refusals only the second was kept',
    [...waited(10_000, again), { ...again, sentAt: 31_005 }],
    { verdict: 'fail', witnesses: ['x2', 'x3'] },
  ],
  [
    'somebody asks in between, and is refused past the first moment: no silence, so no proof, and no pass either',
    inParts(...waited(10_000, again), { ...again, sentAt: 31_001 }, { sentAt: 51_020 }),
    { verdict: 'inconclusive', code: 'wait-overtaken', facts: { promisedMs: 30_000, refusedAfterMs: 30_001 } },
  ],
  [
    'somebody asks in between where refusals may count: the waits that were kept in silence tell',
    atMost(
      ...waited(10_000, again),
      { ...again, sentAt: 31_001 },
      { sentAt: 60_000 },
      ...later(100_000, inParts(...waited(30_000, {}))),
    ),
    { verdict: 'pass', code: 'told' },
  ],
  [
    'somebody who asks in between is admitted: what was named was not too short, whoever has what was there',
    [...waited(10_000, {}), { ...again, sentAt: 31_001 }],
    { verdict: 'pass', code: 'told' },
  ],
  [
    'who waits is banned, for it had gone on before',
    waited(30_000, refused({ 'Retry-After': '600' })),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['who waits meets the ban’s 403', waited(30_000, { status: 403 }), { verdict: 'inconclusive', code: 'not-told' }],
  ['who waits meets a gateway', waited(30_000, { status: 502 }), { verdict: 'inconclusive' }],
  [
    'two come back at once, and one of them is refused',
    inParts(...waited(30_000, { tookMs: 20 }), { ...again, sentAt: 31_010 }),
    { verdict: 'pass' },
  ],
  [
    'another was sent beside the refusal, and answered so late that it may have had what was there',
    [
      refused({ 'Retry-After': '30' }, { sentAt: 980, tookMs: 20 }),
      { sentAt: 990, tookMs: 28_000 },
      { ...again, sentAt: 31_005 },
    ],
    { verdict: 'inconclusive' },
  ],
  [
    'two were refused at once, and who then waits is admitted',
    inParts(refused({ 'Retry-After': '30' }, { sentAt: 985, tookMs: 20 }), ...waited(30_030, {}, '30')),
    { verdict: 'pass' },
  ],
  ['0 seconds are named, and kept', waited(1, {}, '0'), { verdict: 'pass' }],
  ['0 seconds are named, and not kept', waited(1, again, '0'), { verdict: 'fail' }],
  [
    'windows are too short to have whole seconds',
    madeEvidence(waited(1_000, {}, '1'), { run: { timeScale: 40 } }),
    { verdict: 'pass' },
  ],
  ['no wait is named', [refused({}), { sentAt: 100_000 }], { verdict: 'inconclusive', code: 'no-usable-wait' }],
  ['nothing was refused, and nothing asked for it', [{}], { verdict: 'not-tested', code: 'not-asked' }],
  ['nothing was refused, though a load asked for it', [{ probe: 'burst' }], { verdict: 'inconclusive' }],
])

/** A refusal at a moment of the run, whose answer shows the clock to its second, and which names a moment as a date. */
const datedRefusal = (sentAt: number, namedMs: number): ExchangePart => {
  const shown = { Date: new Date(wallStartMs + Math.floor(sentAt / 1000) * 1000).toUTCString() }
  return refused({ ...shown, 'Retry-After': new Date(wallStartMs + namedMs).toUTCString() }, { sentAt })
}
const resetShown = ({ headers, ...part }: ExchangePart, atMs: number): ExchangePart => ({
  ...part,
  headers: { ...headers, 'X-RateLimit-Reset': String((wallStartMs + atMs) / 1000) },
})
/** The moments of a run in four quarters of a second, the last two so near to a full one that they show the clock. */
const quarters = [0, 250, 500, 998]
/** A bucket, read in four quarters, gives a request back 0.1 s after each refusal; what they name may be a second ahead. */
const ofBucket = (named: (dueMs: number) => number): ExchangePart[] =>
  quarters.map((at, i) => at + i * 10_000).flatMap((at) => [datedRefusal(at, named(at + 100)), { sentAt: at + 100 }])
verdictTable(retryAfterHonest, [
  [
    'a date is kept, taken at its latest',
    [...quarters.map((at) => datedRefusal(at, 30_000)), { sentAt: 30_010 }],
    { verdict: 'pass', facts: { told: 4 } },
  ],
  [
    'a date is kept by a clock that is known to a second: one that was cut off would have been kept too',
    [...[0, 250, 500].map((at) => datedRefusal(at, 30_000)), { sentAt: 30_010 }],
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'dates are rounded up, and a bucket serves long before',
    ofBucket((dueMs) => Math.ceil(dueMs / 1000) * 1000),
    { verdict: 'pass', code: 'told' },
  ],
  [
    'dates of a bucket are cut off, and nobody asked before it served again',
    ofBucket((dueMs) => Math.floor(dueMs / 1000) * 1000),
    { verdict: 'inconclusive', code: 'defect-may-hide' },
  ],
  [
    'dates are kept, and so is a wait in seconds whose end shows no rounding',
    [
      ...quarters.map((at) => datedRefusal(at, 30_000)),
      refused({ 'Retry-After': '29' }, { sentAt: 1_100 }),
      { sentAt: 30_010 },
    ],
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { defects: ['wait-0.3s'] } },
  ],
  [
    'windows are too short to have whole seconds, and waits are dates',
    madeEvidence([datedRefusal(998, 2_000), { sentAt: 2_000 }], { run: { timeScale: 40 } }),
    { verdict: 'pass' },
  ],
  ...[
    { resetMs: 40_000, resetLaterMs: 8_898 },
    { resetMs: 30_000, resetLaterMs: null },
    { resetMs: 100_000, resetLaterMs: null },
  ].map(
    ({ resetMs, resetLaterMs }) =>
      [
        `a wait is not kept, and Reset beside it names ${resetMs} ms`,
        [resetShown(datedRefusal(998, 30_998), resetMs), { ...again, sentAt: 32_300 }],
        { verdict: 'fail', facts: { resetLaterMs } },
      ] as const,
  ),
  ['a date is not kept', [datedRefusal(0, 30_000), { ...again, sentAt: 31_000 }], { verdict: 'fail' }],
])

const asked = (afterMs: number, next: ExchangePart = {}) => waited(afterMs, { probe: 'burst', ...next })
/** A load of an agent that is refused, and a question of the run's own machine, which asks another address perhaps. */
const askedElsewhere = (target: string): Evidence =>
  madeEvidence([{ probe: 'burst', sentAt: 10_000 }], {
    ledgers: [
      madeLedger([{ sentMs: 1, status: 429, retryAfter: 30 }], {
        origin: { agent: 'eu-1', group: 'eu', target, clockErrorMs: 0.1, isClockKept: true },
      }),
    ],
  })
verdictTable(retryAfterNotLong, [
  ['nobody is admitted before it is over', asked(30_000), { verdict: 'pass' }],
  ['somebody is admitted within the second of rounding', asked(29_100), { verdict: 'pass' }],
  [
    'somebody is admitted long before',
    asked(10_000),
    { verdict: 'fail', code: 'admitted-long-before', facts: { promisedMs: 30_000, admittedAfterMs: 10_004 } },
  ],
  [
    'somebody is admitted when it is over, by a date of a clock that may be five minutes off',
    madeEvidence([
      refused({ 'Retry-After': new Date(wallStartMs + 6_000).toUTCString() }, { probe: 'burst', sentAt: 1 }),
      { probe: 'burst', sentAt: 6_100 },
    ]),
    { verdict: 'inconclusive' },
  ],
  [
    'another question is answered before',
    asked(10_000, { operation: 'updateInventory' }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['somebody is refused before', asked(10_000, again), { verdict: 'inconclusive' }],
  [
    'an agent was refused there, and the run is admitted',
    askedElsewhere('http://127.0.0.1:8080/v1'),
    { verdict: 'fail' },
  ],
  ['an agent was refused elsewhere', askedElsewhere('http://127.0.0.2:1/v1'), { verdict: 'inconclusive' }],
  [
    'somebody is admitted long before, where many too many are',
    load([
      ...Array.from({ length: 130 }, (_, i) => ({ sentMs: i, status: 200 })),
      { sentMs: 200, status: 429, retryAfter: 30 },
      { sentMs: 10_000, status: 200 },
    ]),
    { verdict: 'inconclusive', code: 'admits-too-many', facts: { plan: 'free' } },
  ],
])

/** The same load twice, the second long after the first. */
const twice = (rows: readonly MadeRow[], part: EvidencePart = {}): Evidence =>
  madeEvidence([], {
    ledgers: [
      madeLedger(rows),
      madeLedger(
        rows.map((row) => ({ ...row, sentMs: row.sentMs + 100_000 })),
        { id: 'while-refused-free', probe: 'while-refused' },
      ),
    ],
    ...part,
  })
/** 90 on a limit of 60: the first 60 are admitted, `over` says what becomes of the others. */
const burst = (over: Partial<MadeRow>, count = 90): MadeRow[] =>
  Array.from({ length: count }, (_, i) => ({ sentMs: 100 + i, ...(i < 60 ? {} : { status: 429, ...over }) }))
const mixed = (others: number, status: number) =>
  burst({}).map((row, i) => (i >= 90 - others ? { ...row, status } : row))
verdictTable(refusedAtOnce, [
  ['each is refused at once', load(burst({})), { verdict: 'pass', facts: { told: 1 } }],
  [
    'each is answered 503',
    load(burst({ status: 503 })),
    {
      verdict: 'fail',
      code: 'refused-with-another-status',
      facts: { plan: 'free', status: 503, admitted: 60, limit: 60, count: 30 },
      witnesses: ['burst-free#60'],
    },
  ],
  [
    'connections that stood still are closed with a 408, by a server that has read no request',
    load(burst({}, 64).map((row, i) => ({ ...row, status: i > 60 ? 408 : 200 }))),
    { verdict: 'inconclusive' },
  ],
  [
    'each is answered 408, which says that nothing is left',
    load(burst({ status: 408, remaining: 0, retryAfter: 4 })),
    { verdict: 'fail', code: 'refused-with-another-status' },
  ],
  [
    'each is answered 503, which says that nothing is left, where requests before the load had counted',
    load(burst({ status: 503, remaining: 0, retryAfter: 4 }).slice(20)),
    {
      verdict: 'fail',
      code: 'refused-with-another-status',
      facts: { plan: 'free', status: 503, admitted: 40, limit: 60, count: 30 },
    },
  ],
  [
    'each is answered 503, which says that something is left, where requests before the load had counted',
    load(burst({ status: 503, remaining: 12, retryAfter: 4 }).slice(20)),
    { verdict: 'inconclusive' },
  ],
  [
    'few are over the limit, and a gateway answers one of them, or more before',
    load(
      burst({}, 65).map((row, i) =>
        i === 62 || i % 20 === 5 ? { ...row, status: 502 } : i > 62 ? { ...row, status: 200 } : row,
      ),
    ),
    { verdict: 'pass' },
  ],
  ['each is answered 403, and nothing 429', load(burst({ status: 403 })), { verdict: 'fail' }],
  ['some are answered 403 after a 429: a ban', load(mixed(20, 403)), { verdict: 'pass' }],
  ...(
    [
      ['every PATCH is answered 403, and what comes behind 429', [403, 403, 403], 429, { verdict: 'fail' }],
      ['every PATCH is answered 403 under a ban', [403, 403, 403], 403, { verdict: 'pass' }],
      ['a gateway loses two of three PATCHes', [502, 502, 429], 429, { verdict: 'pass' }],
      ['PATCHes are served by a refill', [200, 200, 429], 429, { verdict: 'pass' }],
    ] as const
  ).map(([title, updates, behind, expected]): [string, Evidence, object] => {
    const update = { probe: 'burst', step: 'write-refused', operation: 'updateInventory', sentAt: 10 } as const
    const asked = [...updates.map((status) => ({ ...update, status })), { probe: 'burst', status: behind, sentAt: 30 }]
    return [title, madeEvidence(asked, { ledgers: [madeLedger(burst({}))] }), expected]
  }),
  ...(
    [
      ['orders are answered 302, and what comes behind 429', 200, [302, 302], 429, 'operation-refused-otherwise'],
      ['orders are answered 302, and the list too', 200, [302, 302], 302, 'told'],
      ['orders are answered 302 with room as well', 302, [302, 302], 429, 'told'],
      ['orders are refused as they should be but once', 200, [429, 302], 429, 'told'],
    ] as const
  ).map(([title, withRoom, over, behind, code]): [string, Evidence, object] => {
    const orders = { probe: 'burst', operation: 'listOrders' } as const
    const spelt = { ...orders, step: 'spelling', intent: { spelling: 'another operation' } } as const
    const asked = [
      { ...orders, step: 'last-places', status: withRoom, sentAt: 1 },
      ...over.map((status) => ({ ...spelt, status, sentAt: 10 })),
      { probe: 'burst', step: 'drain', status: behind, sentAt: 30 },
    ]
    return [title, madeEvidence(asked, { ledgers: [madeLedger(burst({}))] }), { code }]
  }),
  ['a few are lost in a gateway', load(mixed(3, 502)), { verdict: 'pass', facts: { told: 1 } }],
  ['a good part is answered otherwise', load(mixed(6, 503)), { verdict: 'fail' }],
  [
    'each is held for longer than 10 s, in one load and in another',
    twice(burst({ tookMs: 10_001 })),
    { verdict: 'fail', code: 'held-back', facts: { heldMs: 10_001, mostMs: 10_000 } },
  ],
  [
    'bodies before them did not end',
    load(burst({ tookMs: 10_001 }).map((row, i) => (i === 3 ? { ...row, flags: ['bodyCut'] } : row))),
    { verdict: 'inconclusive', code: 'bodies-without-end' },
  ],
  [
    'one of the first was refused and held too, for something had been spent before',
    twice(burst({ tookMs: 10_001 }).map((row, i) => (i === 59 ? { ...row, status: 429, tookMs: 10_001 } : row))),
    { verdict: 'fail', code: 'held-back' },
  ],
  [
    'each is held for longer than 10 s in one load, and in no other',
    load(burst({ tookMs: 10_001 })),
    { verdict: 'inconclusive', code: 'held-back-once' },
  ],
  ['each is held for 10 s', load(burst({ tookMs: 10_000 })), { verdict: 'pass' }],
  [
    'the target is as slow with what it admits',
    load(burst({ tookMs: 12_000 }).map((row, i) => (i < 60 ? { ...row, tookMs: 7_000 } : row))),
    { verdict: 'inconclusive', code: 'slow-within-limit' },
  ],
  [
    'those served first stood anywhere in the queue, and were slow too',
    twice(
      Array.from({ length: 150 }, (_, i) => ({
        sentMs: i / 100,
        status: i >= 60 && i < 120 ? 200 : 429,
        tookMs: i < 120 ? 7_000 : 12_000,
      })),
    ),
    { verdict: 'inconclusive', code: 'slow-within-limit' },
  ],
  [
    'four limits went at once, and the last waited four times as long as the first',
    twice(
      Array.from({ length: 240 }, (_, i) => ({
        sentMs: i / 100,
        status: i < 60 ? 200 : 429,
        tookMs: i < 60 ? 3_000 : 12_000,
      })),
    ),
    { verdict: 'inconclusive', code: 'slow-within-limit' },
  ],
  [
    'nothing was answered in time, within the limit or beyond it',
    load(burst({ status: null, flags: ['timedOut'] }).map((row) => ({ ...row, status: null, flags: ['timedOut'] }))),
    { verdict: 'inconclusive', code: 'slow-within-limit', facts: { withinMs: -1 } },
  ],
  [
    'the target is slow with what it admits, and holds the others for three times as long',
    twice(burst({ tookMs: 12_000 }).map((row, i) => (i < 60 ? { ...row, tookMs: 4_000 } : row))),
    { verdict: 'fail', code: 'held-back' },
  ],
  [
    'each is held in two loads, and in a third those within the limit were as slow: the machine is busy',
    madeEvidence([], {
      ledgers: [0, 1, 2].map((at) =>
        madeLedger(
          burst({ tookMs: 12_000 }).map((row, i) => ({
            ...row,
            sentMs: row.sentMs + at * 100_000,
            ...(at === 2 && i < 60 ? { tookMs: 11_000 } : {}),
          })),
          { id: `burst-${at}` },
        ),
      ),
    }),
    { verdict: 'inconclusive', code: 'slow-within-limit' },
  ],
  [
    'each is held for longer than half a shorter window',
    twice(burst({ tookMs: 3_100 }), { run: { timeScale: 10 } }),
    { verdict: 'fail', facts: { mostMs: 3_000 } },
  ],
  [
    'only the harness stood still',
    madeEvidence([], { ledgers: [madeLedger(burst({ tookMs: 10_500 }), { stoodStillMs: 600 })] }),
    { verdict: 'pass' },
  ],
  [
    'they are not answered in time',
    twice(burst({ status: null, flags: ['timedOut'] })),
    { verdict: 'fail', code: 'held-back', facts: { heldMs: -1 } },
  ],
  [
    'only what is within the limit is slow',
    load(burst({}).map((row, i) => (i < 60 ? { ...row, tookMs: 11_000 } : row))),
    { verdict: 'pass' },
  ],
  [
    'nothing was refused: that is the quota’s clause',
    load(burst({ status: 200 })),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['no load went over the limit', load(burst({}, 60)), { verdict: 'inconclusive', code: 'not-told' }],
])
