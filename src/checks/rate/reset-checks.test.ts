import { madeEvidence, madeKey, wallStartMs } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { verdictTable } from '../testing/verdict-table.js'
import { resetHonest } from './reset-honest.js'
import { resetIsTimestamp } from './reset-is-timestamp.js'
import { rate, startSeconds } from './testing/made-headers.js'

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
  ['it is now, give or take the rounding', [reset(startSeconds - 1), reset(startSeconds + 60)], { verdict: 'pass' }],
  [
    'it is at the end, give or take the rounding',
    [reset(startSeconds + 1), reset(startSeconds + 62)],
    { verdict: 'pass' },
  ],
  [
    'by one clock it lies in the past, and by the other another one beyond the minute',
    [reset(startSeconds - 1), reset(startSeconds + 62)],
    {
      verdict: 'fail',
      code: 'resets-by-no-clock',
      facts: { byMs: 1_398, past: startSeconds - 1, ahead: startSeconds + 62 },
    },
  ],
  [
    'the same in answers and refusals, which may round in two ways',
    [reset(startSeconds - 1), reset(startSeconds + 62, { status: 429 })],
    { verdict: 'pass' },
  ],
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
    [{ headers: rate(60, 9, startSeconds - 200) }, { headers: rate(60, 9, startSeconds - 210) }],
    { verdict: 'inconclusive', code: 'reset-by-another-clock', facts: { resets: 2, byMs: 197_950 } },
  ],
  [
    'there is no Date, and it lies within the minute by a clock that is minutes off, in one answer ahead and in one behind',
    [{ headers: rate(60, 9, startSeconds - 200) }, { headers: rate(60, 9, startSeconds + 300) }],
    { verdict: 'fail', code: 'resets-by-no-clock' },
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
    'Date is 23 minutes behind, and it lies within the minute by the clock of the client',
    [10, 60].map((by) => ({
      headers: { ...rate(60, 9, startSeconds + by), Date: new Date(wallStartMs - 1_380_000).toUTCString() },
    })),
    { verdict: 'pass', facts: { told: 2 } },
  ],
  [
    'Date is 23 minutes behind, and it goes by that',
    [10, 60].map((by) => ({
      headers: { ...rate(60, 9, startSeconds - 1380 + by), Date: new Date(wallStartMs - 1_380_000).toUTCString() },
    })),
    { verdict: 'pass', facts: { told: 2 } },
  ],
  [
    'Date is 23 minutes behind, and it is an hour ahead of either',
    [{ headers: { ...rate(60, 9, startSeconds + 3_600), Date: new Date(wallStartMs - 1_380_000).toUTCString() } }],
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
    { verdict: 'inconclusive', code: 'defect-may-hide', facts: { defects: ['reset-half'] } },
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
    'a moment in parts of a second had passed for more than two clocks differ',
    returning(30_750, late, { headers: { ...rate(60, 0, startSeconds + 30.5), ...dated, 'Retry-After': '31' } }),
    { verdict: 'fail', code: 'refused-after-reset', facts: { reset: startSeconds + 30.5 } },
  ],
  [
    'a moment in parts of a second had passed for less',
    returning(30_650, late, { headers: { ...rate(60, 0, startSeconds + 30.5), ...dated, 'Retry-After': '31' } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'it is refused for the day',
    returning(31_010, { status: 429, headers: { ...rate(1000, 0), 'Retry-After': '5000' } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'it is refused once more, and no Date tells the clock that the moment is of',
    returning(31_060, late, { headers: { ...rate(60, 0, startSeconds + 30), 'Retry-After': '30' } }),
    { verdict: 'inconclusive', code: 'refused-by-likely-clock', facts: { lateMs: 1_010 }, witnesses: ['x1', 'x2'] },
  ],
  [
    'the quota is there again, and no Date tells the clock',
    returning(30_040, {}, { headers: { ...rate(60, 0, startSeconds + 30), 'Retry-After': '30' } }),
    { verdict: 'pass' },
  ],
  ['it was asked before that moment', returning(30_500, late), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'the day is shown',
    returning(31_010, late, { headers: { ...rate(1000, 0, startSeconds + 30), ...dated } }),
    { verdict: 'inconclusive' },
  ],
  [
    'nothing but the day is shown, whose end does not come in a run',
    returning(31_010, {}, { headers: { ...rate(1000, 0, startSeconds + 80_000), ...dated, 'Retry-After': '30' } }),
    { verdict: 'not-tested', code: 'resets-of-a-day', facts: { refused: 1 } },
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
    'another that was sent long before is answered later: it may have had what was there',
    [{ probe: 'burst', sentAt: 0, tookMs: 40_000, headers: rate(60, 59) }, ...returning(31_100, late, { sentAt: 20 })],
    { verdict: 'inconclusive' },
  ],
  [
    'another that was sent long before is answered after the moment: it may have had what was there',
    [{ probe: 'burst', sentAt: 0, tookMs: 30_500, headers: rate(60, 59) }, ...returning(31_100, late, { sentAt: 20 })],
    { verdict: 'inconclusive' },
  ],
  [
    'another that was sent before is answered long before the moment',
    [{ probe: 'burst', sentAt: 0, tookMs: 20_000, headers: rate(60, 59) }, ...returning(31_100, late, { sentAt: 20 })],
    { verdict: 'fail', code: 'refused-after-reset' },
  ],
  [
    'the limits of minute and day are the same',
    madeEvidence(returning(31_010, late), {
      run: { keys: [{ ...madeKey('free'), quota: { limit: 60, longer: 60 } }] },
    }),
    { verdict: 'inconclusive' },
  ],
  ['nobody was refused', [{ probe: 'burst' }], { verdict: 'inconclusive', code: 'not-told' }],
])
