import { type EvidencePart, madeEvidence, madeKey, wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { type MadeRow, madeLedger } from '../../evidence/testing/made-ledger.js'
import { remainingByOperation } from '../petstore/rate/remaining-by-operation.js'
import { verdictTable } from '../testing/verdict-table.js'
import { headersPresent } from './headers-present.js'
import { limitOfPlan } from './limit-of-plan.js'
import { plainHeaders } from './plain-headers.js'
import { remainingFalls } from './remaining-falls.js'
import { remainingInBurst } from './remaining-in-burst.js'
import { remainingInRange } from './remaining-in-range.js'
import { resetHonest } from './reset-honest.js'
import { resetIsTimestamp } from './reset-is-timestamp.js'

const startSeconds = wallStartMs / 1000
const rate = (limit: unknown, remaining: unknown, reset: unknown = startSeconds + 60) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'x-ratelimit-reset': String(reset),
})
const whole: ExchangePart = { headers: rate(60, 59) }
const lacking = (name: string): ExchangePart => ({
  headers: Object.fromEntries(Object.entries(rate(60, 59)).filter(([each]) => each !== name)),
})
const load = (rows: readonly MadeRow[], exchanges: readonly ExchangePart[] = [], part: EvidencePart = {}) =>
  madeEvidence(exchanges, { ledgers: [madeLedger(rows)], ...part })
const full = { limit: 60, remaining: 5, reset: startSeconds + 60 }

/** One answer of each status that an operation gives, to the probes that ask for them. */
const ofEachStatus = (part: ExchangePart): ExchangePart[] =>
  Object.entries({ hello: 200, 'invalid-bodies': 400, 'no-key': 401, 'unknown-pet': 404, burst: 429 }).map(
    ([probe, status]) => ({ ...part, probe, status }),
  )

verdictTable(headersPresent, [
  [
    'they are on every answer, of each status',
    ofEachStatus(whole),
    { verdict: 'pass', code: 'told', facts: { told: 5, kinds: ['200', '400', '401', '404', '429'] } },
  ],
  [
    'nothing was refused, though a load asked for it',
    ofEachStatus(whole).map((part) => (part.status === 429 ? { ...part, status: 200 } : part)),
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['429'] } },
  ],
  [
    'the scenario asks for nothing that is refused',
    ofEachStatus(whole).slice(0, 4),
    { verdict: 'not-tested', code: 'not-asked', facts: { missing: ['429'] } },
  ],
  [
    'one lacks one',
    [whole, { ...lacking('X-RateLimit-Remaining'), status: 404 }],
    {
      verdict: 'fail',
      code: 'rate-headers-missing',
      facts: { status: 404, missing: ['X-RateLimit-Remaining'], others: 0 },
      witnesses: ['x2'],
    },
  ],
  [
    'one has none',
    [{}],
    { verdict: 'fail', facts: { missing: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] } },
  ],
  [
    'a line of a load lacks one',
    load([
      { sentMs: 1, ...full },
      { sentMs: 2, status: 429, ...full, reset: undefined },
    ]),
    { verdict: 'fail', witnesses: ['burst-free#1'] },
  ],
  [
    'a header is there and no number, which is another clause’s',
    ofEachStatus({ headers: rate('many', 'some', 'soon') }),
    { verdict: 'pass' },
  ],
  [
    'only a gateway and an unknown path lack them',
    [...ofEachStatus(whole), { status: 502 }, { operation: null, status: 404 }],
    { verdict: 'pass', facts: { told: 5 } },
  ],
  ['nothing was answered', [{ status: null }], { verdict: 'inconclusive' }],
])

verdictTable(limitOfPlan, [
  ['it is the limit per minute', [whole], { verdict: 'pass' }],
  ['it is the limit per day', [{ headers: rate(1000, 9) }], { verdict: 'pass' }],
  ['it is written as 60.0', [{ headers: rate('60.0', 9) }], { verdict: 'pass' }],
  [
    'it is another plan’s',
    [whole, { headers: rate(300, 9) }],
    { verdict: 'fail', code: 'limit-of-no-window', facts: { shown: 300, plan: 'free', minute: 60, day: 1000 } },
  ],
  [
    'it is a fraction',
    [{ headers: rate('60.5', 9) }],
    { verdict: 'fail', code: 'header-is-no-integer', facts: { text: '60.5' } },
  ],
  ['it is no number', [{ headers: rate('sixty', 9) }], { verdict: 'fail', code: 'header-is-no-integer' }],
  [
    'it is any integer where no plan is known',
    [{ headers: rate(10, 9), status: 401, credential: 'none' }, whole],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  ['a load shows another', load([{ sentMs: 1, ...full, limit: 61 }]), { verdict: 'fail', witnesses: ['burst-free#0'] }],
  ['it is missing, which is another clause’s', [{}], { verdict: 'inconclusive', code: 'not-told' }],
])

const refused = (remaining: unknown, retryAfter = '30', limit = 60): ExchangePart => ({
  status: 429,
  headers: { ...rate(limit, remaining), 'Retry-After': retryAfter },
})
verdictTable(remainingInRange, [
  [
    'it is 0 to Limit, and 0 on a refusal',
    [{ headers: rate(60, 0) }, { headers: rate(60, 60) }, refused(0)],
    { verdict: 'pass', facts: { told: 3 } },
  ],
  [
    'it is below 0',
    [{ headers: rate(60, -1) }],
    { verdict: 'fail', code: 'remaining-out-of-range', facts: { remaining: -1, limit: 60 } },
  ],
  ['it is above Limit', [{ headers: rate(60, 61) }], { verdict: 'fail', code: 'remaining-out-of-range' }],
  [
    'it is below 0, and Limit is missing',
    [{ headers: { 'X-RateLimit-Remaining': '-1' } }],
    { verdict: 'fail', code: 'remaining-out-of-range', facts: { limit: 'unknown' } },
  ],
  ['it is a fraction', [{ headers: rate(60, 5.5) }], { verdict: 'fail', code: 'header-is-no-integer' }],
  ['nothing was refused, though a load asked for it', [{ ...whole, probe: 'burst' }], { verdict: 'inconclusive' }],
  ['nothing asked for a refusal', [whole], { verdict: 'not-tested', code: 'not-asked' }],
  [
    'it is not 0 on a refusal of the window that it shows',
    [refused(3)],
    { verdict: 'fail', code: 'remaining-on-refusal', facts: { remaining: 3, limit: 60 } },
  ],
  [
    'all is left on a refusal that shows the next window, which began while it was under way',
    [
      { headers: rate(60, 0, startSeconds + 1), sentAt: 100, tookMs: 10 },
      {
        ...refused(60),
        headers: { ...rate(60, 60, startSeconds + 61), 'Retry-After': '60' },
        sentAt: 999,
        tookMs: 2,
      },
      { ...refused(0), sentAt: 1_100, tookMs: 10 },
    ],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  [
    'all is left on a refusal that shows a window that is over by then',
    [
      { headers: rate(60, 0, startSeconds + 1), sentAt: 100, tookMs: 10 },
      { ...refused(60), headers: { ...rate(60, 60, startSeconds + 1), 'Retry-After': '0' }, sentAt: 998, tookMs: 12 },
      { ...refused(0), sentAt: 1_100, tookMs: 10 },
    ],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  [
    'as much is left on a refusal as was admitted a window before, and may have come back while it was under way',
    [
      { ...whole, sentAt: 1_000 },
      { ...whole, sentAt: 1_010 },
      { ...refused(2), sentAt: 60_990, tookMs: 40 },
      { ...refused(0), sentAt: 61_200 },
    ],
    { verdict: 'pass', facts: { told: 3 } },
  ],
  [
    'more is left on a refusal than can have come back while it was under way',
    [
      { ...whole, sentAt: 1_000 },
      { ...whole, sentAt: 2_000 },
      { ...refused(2), sentAt: 60_990, tookMs: 40 },
    ],
    { verdict: 'fail', code: 'remaining-on-refusal' },
  ],
  [
    'all is left on a refusal that shows the window of the answers before',
    [
      { headers: rate(60, 1, startSeconds + 60), sentAt: 100, tookMs: 10 },
      {
        ...refused(60),
        headers: { ...rate(60, 60, startSeconds + 61), 'Retry-After': '60' },
        sentAt: 999,
        tookMs: 2,
      },
    ],
    { verdict: 'fail', code: 'remaining-on-refusal' },
  ],
  ['it is not 0 on a refusal of the day, the minute shown', [whole, refused(3, '5000')], { verdict: 'pass' }],
  ['it is not 0 on a refusal of the minute, the day shown', [whole, refused(300, '30', 1000)], { verdict: 'pass' }],
  [
    'it is not 0 on a refusal that names no wait',
    [whole, { ...refused(3), headers: rate(60, 3) }],
    { verdict: 'pass' },
  ],
  ['a load shows it', load([{ sentMs: 1, ...full, remaining: -1 }]), { verdict: 'fail', witnesses: ['burst-free#0'] }],
  ['it is missing, which is another clause’s', [{}], { verdict: 'inconclusive' }],
])

verdictTable(plainHeaders, [
  ['they are', [whole], { verdict: 'pass' }],
  [
    'one appears twice',
    [{ headers: [...Object.entries(rate(60, 59)), ['X-RATELIMIT-LIMIT', '60'] as const] }],
    { verdict: 'fail', code: 'header-more-than-once', facts: { times: 2 } },
  ],
  [
    'Limit has a point',
    [{ headers: rate('60.0', 9) }],
    { verdict: 'fail', code: 'header-not-plain', facts: { header: 'X-RateLimit-Limit', text: '60.0' } },
  ],
  [
    'Reset is a fraction',
    [{ headers: rate(60, 9, `${startSeconds}.5`) }],
    { verdict: 'fail', facts: { header: 'X-RateLimit-Reset' } },
  ],
  [
    'they are missing, which is another clause’s',
    [{}],
    { verdict: 'inconclusive', code: 'not-told', facts: { leftOut: 1 } },
  ],
  ['nothing was answered', [{ status: null }], { verdict: 'inconclusive' }],
])

const row = (remaining: readonly unknown[], limit: unknown = 60, part: ExchangePart = {}): ExchangePart[] =>
  remaining.map((each, i) => ({
    probe: 'header-row',
    step: 'row',
    sentAt: i * 10,
    headers: rate(limit, each),
    ...part,
  }))
/** A walk of changes, each read back: `L` lists, `P` patches; each with the Remaining that its answer shows. */
const walked = (steps: readonly (readonly ['L' | 'P', number])[], limit = 60): ExchangePart[] =>
  steps.map(([kind, remaining], i) => ({
    probe: 'model-walk',
    operation: kind === 'L' ? 'listInventory' : 'updateInventory',
    headers: rate(limit, remaining),
    sentAt: i * 10,
    endedAt: i * 10 + 5,
  }))
/** Starts at 59 and takes off what each step names. */
const taking = (kinds: string, falls: readonly number[]): ExchangePart[] =>
  walked(
    [...kinds].map(
      (kind, i) => [kind as 'L' | 'P', falls.slice(0, i).reduce((left, fall) => left - fall, 59)] as const,
    ),
  )

verdictTable(remainingByOperation, [
  ['each takes one', taking('LLPLPLLPLPLLPL', Array(13).fill(1)), { verdict: 'pass', facts: { told: 13 } }],
  [
    'every PATCH takes two',
    taking('LLPLPLLPLPLLPL', [1, 2, 1, 2, 1, 1, 2, 1, 2, 1, 1, 2, 1]),
    {
      verdict: 'fail',
      code: 'operation-counts-otherwise',
      facts: { operation: 'updateInventory', fall: 2, times: 5, otherwise: 1 },
    },
  ],
  [
    'every PATCH but one takes two: somebody else may spend the key',
    taking('LLPLPLLPLPLLPL', [1, 2, 1, 2, 1, 1, 1, 1, 2, 1, 1, 2, 1]),
    { verdict: 'inconclusive', code: 'operation-untold', facts: { operation: 'updateInventory', told: 1, seen: 5 } },
  ],
  [
    'a PATCH shows what was left before it, and the next answer both',
    taking('LLPLPLLPLPLLPLL', [1, 0, 2, 0, 2, 1, 0, 2, 0, 2, 1, 0, 2, 1]),
    { verdict: 'fail', code: 'operation-shown-late', facts: { times: 5 } },
  ],
  [
    'the same, two at a time',
    taking('LLLPPLPPLLPPLPPLL', [1, 1, 0, 1, 2, 0, 1, 2, 1, 0, 1, 2, 0, 1, 2, 1]),
    { verdict: 'fail', code: 'operation-shown-late', facts: { times: 4 } },
  ],
  [
    'a bucket gives back what slow PATCHes take',
    taking('LLPLPLLPLPLLPL', [1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1]),
    { verdict: 'pass' },
  ],
  [
    'the window ends in between',
    taking('LLPLPLLPLPLLPL', [1, 1, 1, 1, -40, 1, 1, 1, 1, 1, 1, 1, 1]),
    { verdict: 'pass', facts: { told: 12 } },
  ],
  [
    'a PATCH was asked for too seldom to tell',
    taking('LLPLLLLPL', Array(8).fill(1)),
    { verdict: 'inconclusive', code: 'operation-untold', facts: { operation: 'updateInventory', told: 2, needed: 4 } },
  ],
  ['nothing asked for several operations', row([59, 58, 57, 56]), { verdict: 'inconclusive', code: 'not-told' }],
])

verdictTable(remainingFalls, [
  ['it falls by one each', row([59, 58, 57, 56, 55]), { verdict: 'pass', facts: { told: 1 }, witnesses: ['x5'] }],
  ['it shows the day', row([999, 998, 997, 996], 1000), { verdict: 'pass' }],
  ['it once rises by one, a refill', row([59, 58, 57, 58, 57, 56]), { verdict: 'pass' }],
  ['a window ends in the middle', row([2, 1, 0, 59, 58, 57, 56]), { verdict: 'pass', facts: { told: 1 } }],
  [
    'it stands still',
    row([59, 59, 59, 59, 59]),
    { verdict: 'fail', code: 'remaining-does-not-fall', facts: { requests: 4, from: 59, to: 59 } },
  ],
  [
    'it shows what was there before',
    row([60, 59, 58, 57]),
    { verdict: 'fail', code: 'remaining-before-counting', facts: { limit: 60 } },
  ],
  [
    'it falls by two each',
    row([58, 56, 54, 52]),
    { verdict: 'fail', code: 'remaining-falls-too-fast', facts: { requests: 3, from: 58, to: 52 } },
  ],
  [
    'it falls somewhat too fast: somebody else spends',
    row([59, 58, 56, 55]),
    { verdict: 'inconclusive', code: 'somebody-else-spends', facts: { fall: 4 } },
  ],
  ['it stands still where older use may run out', row([40, 40, 40, 40]), { verdict: 'inconclusive', code: 'not-told' }],
  ['it falls by one each where older use might run out', row([40, 39, 38, 37]), { verdict: 'pass' }],
  [
    'requests are so slow that a refill hides it',
    row([59, 59, 59, 59]).map((part, i) => ({ ...part, sentAt: i * 1_000 })),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'of two rows as long the faster one tells, whose refill hides nothing',
    [
      ...row([50, 50, 49, 49]).map((part, i) => ({ ...part, sentAt: i * 1_000 })),
      ...row([59, 58, 57, 57]).map((part, i) => ({ ...part, sentAt: 60_000 + i * 10 })),
    ],
    { verdict: 'pass', facts: { told: 1 }, witnesses: ['x8'] },
  ],
  ['three answers are too few to tell', row([59, 58, 57]), { verdict: 'inconclusive', code: 'not-told' }],
  ['three answers show it before it counts', row([60, 59, 58]), { verdict: 'fail', code: 'remaining-before-counting' }],
  [
    'it is played twice, and other probes spent the key in between',
    madeEvidence(
      [
        ...row([59, 58, 57, 56, 55]),
        ...row([20, 19, 18, 17, 16], 60, {}).map((part, i) => ({ ...part, sentAt: 5_000 + i * 10 })),
      ],
      {
        probes: [10, 6_000].map((at) => ({
          type: 'probe',
          probe: 'header-row',
          key: 'free',
          at: at * 10,
          end: 'completed',
          reason: '',
        })),
      },
    ),
    { verdict: 'pass' },
  ],
  ['there are too few answers', row([59, 58]), { verdict: 'inconclusive', code: 'not-told' }],
  ['it is missing', row([1, 2, 3], 60, { headers: {} }), { verdict: 'inconclusive' }],
])

const burst = (remaining: (i: number) => number, count = 60, part: Partial<MadeRow> = {}): MadeRow[] =>
  Array.from({ length: count }, (_, i) => ({
    sentMs: 100 + i,
    limit: 60,
    remaining: remaining(i),
    reset: startSeconds + 60,
    ...part,
  }))
verdictTable(remainingInBurst, [
  ['it falls with what was admitted', load(burst((i) => 59 - i)), { verdict: 'pass', facts: { told: 1 } }],
  ['some answers show one value twice', load(burst((i) => 59 - (i - (i % 2)))), { verdict: 'pass' }],
  [
    'it stands still',
    load(burst(() => 59)),
    { verdict: 'fail', code: 'remaining-lags-in-burst', facts: { admitted: 60, from: 59, to: 59 } },
  ],
  ['it falls far too little', load(burst((i) => 59 - Math.floor(i / 4))), { verdict: 'fail' }],
  [
    'a window ends in its middle',
    load(burst(() => 59).map((each, i) => (i > 30 ? { ...each, reset: startSeconds + 120 } : each))),
    { verdict: 'inconclusive' },
  ],
  [
    'it is spread over the window, so that a refill hides it',
    load(burst(() => 59).map((each, i) => ({ ...each, sentMs: i * 1_000 }))),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['few were admitted', load(burst(() => 59, 9)), { verdict: 'inconclusive' }],
  ['there was no burst', [], { verdict: 'inconclusive' }],
])

const dated = { Date: new Date(wallStartMs).toUTCString() }
const reset = (value: number | string, part: ExchangePart = {}): ExchangePart => ({
  ...part,
  headers: { ...rate(60, 9, value), ...dated },
})
const yearsOff = new Date(wallStartMs + 100_000_000_000).toUTCString()
verdictTable(resetIsTimestamp, [
  [
    'it lies within the minute',
    [reset(startSeconds + 1), reset(startSeconds + 60)],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  ['it is now, give or take the rounding', [reset(startSeconds - 1), reset(startSeconds + 62)], { verdict: 'pass' }],
  ['it is a fraction', [reset(`${startSeconds + 30}.5`)], { verdict: 'pass' }],
  ['it is in milliseconds', [reset(wallStartMs + 60_000)], { verdict: 'fail', code: 'reset-in-milliseconds' }],
  ['it is a delay', [reset(60)], { verdict: 'fail', code: 'reset-is-delta', facts: { reset: 60 } }],
  ['it is 0', [reset(0)], { verdict: 'fail', code: 'reset-is-delta' }],
  ['it is no number', [reset('soon')], { verdict: 'fail', code: 'header-is-no-integer' }],
  ['it lies in the past', [reset(startSeconds - 10)], { verdict: 'fail', code: 'reset-in-past' }],
  [
    'it lies beyond the minute that is shown',
    [reset(startSeconds + 70)],
    { verdict: 'fail', code: 'reset-beyond-window', facts: { windowMs: 60_000 } },
  ],
  [
    'it lies beyond the minute, and the day is shown',
    [{ headers: { ...rate(1000, 9, startSeconds + 80_000), ...dated } }],
    { verdict: 'pass' },
  ],
  [
    'it lies beyond the day',
    [{ headers: { ...rate(1000, 9, startSeconds + 90_000), ...dated } }],
    { verdict: 'fail', code: 'reset-beyond-window' },
  ],
  [
    'it lies beyond the minute where no plan is known',
    [reset(startSeconds + 3_600, { status: 401, credential: 'none' })],
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'the refusal itself names a longer wait',
    [{ status: 429, headers: { ...rate(60, 0, startSeconds + 5_000), ...dated, 'Retry-After': '5000' } }],
    { verdict: 'pass' },
  ],
  [
    'there is no Date, and it lies within the minute by the clock of the client',
    [{ headers: rate(60, 9, startSeconds + 60) }],
    { verdict: 'pass' },
  ],
  [
    'there is no Date, and it lies within the minute only by a clock that is minutes off',
    [{ headers: rate(60, 9, startSeconds - 200) }, { headers: rate(60, 9, startSeconds + 300) }],
    { verdict: 'inconclusive', code: 'reset-by-another-clock', facts: { resets: 2, byMs: 197_950 } },
  ],
  [
    'there is no Date, and no clock is so far off',
    [{ headers: rate(60, 9, startSeconds + 400) }],
    { verdict: 'fail', code: 'reset-beyond-window' },
  ],
  [
    'Date is absent, none, or of 1970 in turn',
    ['', 'today', 'Thu, 01 Jan 1970 00:00:00 GMT', new Date(wallStartMs).toUTCString()].map((date) => ({
      headers: { ...rate(60, 9, startSeconds + 60), ...(date === '' ? {} : { Date: date }) },
    })),
    { verdict: 'pass', facts: { told: 4 } },
  ],
  [
    'Date stands still in 1970, and it lies hours beyond the minute',
    [{ headers: { ...rate(60, 9, startSeconds + 7_200), Date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }],
    { verdict: 'fail', code: 'reset-beyond-window' },
  ],
  [
    'Date is years off, and it goes by that',
    [{ headers: { ...rate(60, 9, startSeconds + 100_000_060), Date: yearsOff } }],
    { verdict: 'inconclusive', code: 'reset-by-another-clock' },
  ],
  [
    'Date jumps by an hour, and it goes by either',
    [0, 3_600].map((by) => ({
      headers: { ...rate(60, 9, startSeconds + by + 60), Date: new Date(wallStartMs + by * 1000).toUTCString() },
    })),
    { verdict: 'inconclusive', code: 'reset-by-another-clock', facts: { resets: 1 } },
  ],
  [
    'nodes differ by three seconds',
    [0, 3].map((by) => ({
      headers: { ...rate(60, 9, startSeconds + by + 60), Date: new Date(wallStartMs + by * 1000).toUTCString() },
    })),
    { verdict: 'pass', facts: { told: 2 } },
  ],
  ['it is missing, which is another clause’s', [{}], { verdict: 'inconclusive' }],
])

/** A refusal that names a Reset 30 s ahead, and one request after it. */
const returning = (afterMs: number, next: ExchangePart, part: ExchangePart = {}): ExchangePart[] => [
  {
    probe: 'burst',
    sentAt: 0,
    status: 429,
    headers: { ...rate(60, 0, startSeconds + 30), ...dated, 'Retry-After': '30' },
    ...part,
  },
  { probe: 'burst', sentAt: afterMs, headers: rate(60, 59, startSeconds + 90), ...next },
]
const late = { status: 429, headers: { ...rate(60, 0, startSeconds + 90), 'Retry-After': '60' } }
verdictTable(resetHonest, [
  ['the quota is there again', returning(31_010, {}), { verdict: 'pass', code: 'told', witnesses: ['x1'] }],
  [
    'nobody asked until long after: it may have named half of what was left',
    returning(60_000, {}),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'one was read far off, and one just before the end: only the first tells',
    [...returning(31_010, {}), ...returning(32_000, {}, { sentAt: 30_500 }).slice(0, 1)].sort(
      (a, b) => (a.sentAt ?? 0) - (b.sentAt ?? 0),
    ),
    { verdict: 'pass', facts: { told: 1 } },
  ],
  [
    'it is refused once more',
    returning(31_010, late),
    { verdict: 'fail', code: 'refused-after-reset', facts: { plan: 'free', status: 429 } },
  ],
  [
    'it is refused for the day',
    returning(31_010, { status: 429, headers: { ...rate(1000, 0), 'Retry-After': '5000' } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['it was asked before that moment', returning(30_500, late), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'the day is shown',
    returning(31_010, late, { headers: { ...rate(1000, 0, startSeconds + 30), ...dated } }),
    { verdict: 'inconclusive' },
  ],
  [
    'the moment lay in the past, which is another clause’s',
    returning(31_010, late, { headers: { ...rate(60, 0, startSeconds - 30), ...dated } }),
    { verdict: 'inconclusive' },
  ],
  [
    'it was admitted before that moment, and after it',
    [...returning(30_020, {}), { probe: 'burst', sentAt: 31_010, headers: rate(60, 58) }],
    { verdict: 'pass', witnesses: ['x1'] },
  ],
  [
    'what was admitted before that moment had what was there',
    [...returning(30_020, {}), { probe: 'burst', sentAt: 31_010, ...late }],
    { verdict: 'pass' },
  ],
  [
    'a key was spent one request at a time',
    returning(31_010, { ...late, probe: 'exhaustion' }, { probe: 'exhaustion' }),
    { verdict: 'fail', code: 'refused-after-reset' },
  ],
  ['a gateway answered then', returning(31_010, { status: 502 }), { verdict: 'inconclusive' }],
  [
    'two came back at once, and one of them is refused',
    [...returning(31_010, late), { probe: 'burst', sentAt: 31_011, headers: rate(60, 59) }],
    { verdict: 'pass' },
  ],
  [
    'the limits of minute and day are the same',
    madeEvidence(returning(31_010, late), { run: { keys: [{ ...madeKey('free'), quota: { minute: 60, day: 60 } }] } }),
    { verdict: 'inconclusive' },
  ],
  ['nobody was refused', [{ probe: 'burst' }], { verdict: 'inconclusive', code: 'not-told' }],
])

verdictTable(limitOfPlan, [
  [
    'each key shows its own',
    madeEvidence([whole, { key: 'pro', headers: rate(300, 9) }], { run: { keys: [madeKey('free'), madeKey('pro')] } }),
    { verdict: 'pass' },
  ],
  [
    'a key shows that of the other',
    madeEvidence([whole, { key: 'pro', headers: rate(60, 9) }], { run: { keys: [madeKey('free'), madeKey('pro')] } }),
    { verdict: 'fail', facts: { plan: 'pro' } },
  ],
])
