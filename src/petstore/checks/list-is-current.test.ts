import { verdictTable } from '../../checks/testing/verdict-table.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { listIsCurrent } from './inventory-lists.js'
import { entry, listing, patch, read, refusal, type Stock } from './testing/stock.js'

const rwr = 'read-write-read'
const walk = (control: Stock, after: Stock, part: ExchangePart = {}) => [
  read(rwr, 'before', { 1: 5, 2: 7 }),
  read(rwr, 'control', control),
  patch(rwr, 'patch', '1', 4, part),
  read(rwr, 'after', after),
]
/** Two pets of three are changed in the same moment, and the list is read: as often as lists are given. */
const atOnce = (first: readonly ExchangePart[], ...lists: readonly Stock[]): ExchangePart[] => {
  return [
    ...walk({ 1: 5, 2: 7 }, { 1: 4, 2: 7 }),
    patch(rwr, 'patch-back', '1', 5),
    read(rwr, 'restored', { 1: 5, 2: 7, 3: 9 }),
    ...lists.flatMap((stock, time) => [
      patch(rwr, 'at-once', '1', time === 0 ? 4 : 5),
      patch(rwr, 'at-once', '2', time === 0 ? 6 : 7, first[time]),
      read(rwr, 'after-all', stock),
    ]),
  ]
}

/** A pet is changed with one key, and listed with another before it, at once after it and later. */
const byAnother = (quantity: number, ahead: Stock, beside: Stock, later: Stock = beside): ExchangePart[] => [
  ...walk({ 1: 5, 2: 7 }, { 1: 4, 2: 7 }),
  read('isolation', 'before', ahead, { key: 'free' }),
  patch('isolation', 'patch', '2', quantity, { key: 'pro' }),
  read('isolation', 'ahead', beside, { key: 'free' }),
  read('isolation', 'beside', later, { key: 'free' }),
]

/** Three pets are changed, and the list is read behind them, as it shows them then. */
const changedInTurn = (...lists: readonly [Stock, Stock, Stock]): ExchangePart[] => [
  read(rwr, 'before', { 1: 5, 2: 7, 3: 9 }),
  ...walk({ 1: 5, 2: 7, 3: 9 }, { 1: 4, 2: 7, 3: 9 }).slice(1),
  patch(rwr, 'at-once', '2', 6),
  patch(rwr, 'at-once', '3', 8),
  ...lists.map((stock) => read('scheme-case', 'control', stock)),
]

/** Pet 1 is changed often, and another changes beside it these times; between and behind, the list is read 40 times. */
const besidePatches = (times: number, ...later: readonly Stock[]): ExchangePart[] => [
  ...walk({ 1: 5, 2: 7 }, { 1: 4, 2: 7 }),
  ...Array.from({ length: 4 }, (_, i) => [
    patch('accounting', 'other', '1', 50 + i),
    read('accounting', 'list', { 1: 50 + i, 2: 7 + Math.min(i, times) }),
  ]).flat(),
  ...Array.from({ length: 40 }, () => read('header-row', 'row', { 1: 53, 2: 7 + Math.min(3, times) })),
  ...later.map((stock) => read('header-row', 'row', stock)),
]

/** The same with the status of the other pet changed, and not its quantity. */
const withStatusMoved = (part: ExchangePart): ExchangePart => ({
  ...part,
  body: `${part.body}`.replace(/(:2,"quantity":)(8|10)(.*?)sold/, '$17$3pending').replace(/(:2,"quantity":)9/, '$17'),
})

/** Two pets are changed in the same moment and back, and a list is read beside them, the first and the second time. */
const besideAtOnce = (first: Stock, second: Stock, third: readonly [number, number] = [9, 9]): ExchangePart[] => {
  const beside = [first, second]
  const behind = atOnce([], { 1: 4, 2: 6, 3: third[0] }, { 1: 5, 2: 7, 3: third[1] })
  return behind.flatMap((part) =>
    part.step === 'after-all' ? [read(rwr, 'at-once', beside.shift() ?? {}), part] : [part],
  )
}

const unmoved: Stock = { 1: 4, 2: 7, 3: 9 }
/** Two pets are changed one after the other, each with a list behind it. */
const laterOn = (second: ExchangePart, third: ExchangePart, behind = unmoved, last = behind): ExchangePart[] => [
  ...walk({ 1: 5, 2: 7, 3: 9 }, unmoved).map((part, i) =>
    i === 0 ? { ...part, body: listing({ 1: 5, 2: 7, 3: 9 }) } : part,
  ),
  patch('loose-requests', 'loose', '2', 3, second),
  read('loose-requests', 'after', behind),
  patch('quantity-bounds', 'patch', '3', 4, third),
  read('quantity-bounds', 'read-back', behind),
  read('scheme-case', 'control', last),
]

verdictTable(listIsCurrent, [
  [
    'lists beside changes show pets as before or after',
    besideAtOnce({ 1: 5, 2: 6, 3: 9 }, { 1: 5, 2: 6, 3: 9 }),
    { verdict: 'pass' },
  ],
  [
    'lists beside changes leave out pets that are being changed',
    besideAtOnce({ 2: 7, 3: 9 }, { 1: 5, 3: 9 }),
    { verdict: 'fail', code: 'list-torn', facts: { petId: '1', was: '5', shown: 'absent', times: 2 } },
  ],
  [
    'a list beside changes shows another number, once',
    besideAtOnce({ 1: 0, 2: 7, 3: 9 }, { 1: 5, 2: 7, 3: 9 }),
    { verdict: 'inconclusive', code: 'list-torn', facts: { shown: '0', times: 1 } },
  ],
  [
    'lists beside and behind changes show what somebody else sets',
    besideAtOnce({ 1: 5, 2: 7, 3: 30 }, { 1: 5, 2: 7, 3: 31 }, [30, 31]),
    { verdict: 'pass' },
  ],
  [
    'what is written lasts for a time only',
    changedInTurn({ 1: 5, 2: 6, 3: 8 }, { 1: 5, 2: 6, 3: 8 }, { 1: 5, 2: 7, 3: 9 }),
    { verdict: 'fail', code: 'change-undone', facts: { pets: 3 } },
  ],
  [
    'somebody else puts back what was written, sooner or later',
    changedInTurn({ 1: 4, 2: 6, 3: 8 }, { 1: 4, 2: 6, 3: 9 }, { 1: 5, 2: 7, 3: 9 }),
    { verdict: 'pass' },
  ],
  [
    'somebody else writes something else',
    changedInTurn({ 1: 5, 2: 6, 3: 8 }, { 1: 5, 2: 6, 3: 8 }, { 1: 5, 2: 7, 3: 30 }),
    { verdict: 'pass' },
  ],
  [
    'another entry changes beside PATCHes, time after time',
    besidePatches(3),
    { verdict: 'fail', code: 'others-changed-beside', facts: { petId: '2', times: 3 } },
  ],
  [
    'the status of another changes beside PATCHes, time after time',
    besidePatches(3).map(withStatusMoved),
    { verdict: 'fail', code: 'others-changed-beside', facts: { petId: '2', before: 'sold', after: 'pending' } },
  ],
  [
    'so does that of a pet that was changed before, in its own time',
    [patch('accounting', 'other', '2', 7), ...besidePatches(3)].map(withStatusMoved),
    { verdict: 'pass' },
  ],
  [
    'it changes beside one PATCH: somebody else may write',
    besidePatches(1),
    { verdict: 'inconclusive', code: 'others-changed-beside', facts: { times: 1 } },
  ],
  ['it changes without a PATCH too: somebody else writes', besidePatches(3, { 1: 53, 2: 30 }), { verdict: 'pass' }],
  ['a change shows with another key', byAnother(6, { 1: 5, 2: 7 }, { 1: 5, 2: 6 }), { verdict: 'pass' }],
  [
    'a change shows with the key that made it, and only later with another',
    byAnother(6, { 1: 5, 2: 7 }, { 1: 5, 2: 7 }, { 1: 5, 2: 6 }),
    { verdict: 'fail', code: 'change-not-shown', facts: { petId: '2', written: '6', shown: '7' } },
  ],
  ['each key has an inventory of its own', byAnother(6, { 1: 5, 2: 7 }, { 1: 5, 2: 7 }), { verdict: 'pass' }],
  ['somebody else writes meanwhile', byAnother(6, { 1: 5, 2: 7 }, { 1: 5, 2: 9 }), { verdict: 'pass' }],
  [
    'more that is written elsewhere shows, and tells how rare a write may be that is ignored',
    [
      ...walk({ 1: 5, 2: 7 }, { 1: 4, 2: 7 }),
      ...Array.from({ length: 9 }, (_, i) => [
        patch('model-walk', 'valid', '2', 20 + i),
        read('model-walk', 'reading', { 1: 4, 2: 20 + i }),
        patch('model-walk', 'valid', '2', 20 + i),
      ]).flat(),
    ],
    { verdict: 'pass', facts: { writes: 10, oneIn: 3 } },
  ],
  [
    'it shows the change and no other',
    walk({ 1: 5, 2: 7 }, { 1: 4, 2: 7 }),
    { verdict: 'pass', code: 'writes-shown', facts: { writes: 1, oneIn: 1 }, witnesses: ['x3'] },
  ],
  ['its order differs', walk({ 1: 5, 2: 7 }, { 2: 7, 1: 4 }), { verdict: 'pass' }],
  ['the number is written otherwise', walk({ 1: 5, 2: 7 }, { 1: '4.0', 2: '7e0' }), { verdict: 'pass' }],
  [
    'it shows the old quantity',
    walk({ 1: 5, 2: 7 }, { 1: 5, 2: 7 }),
    { verdict: 'fail', code: 'change-not-shown', facts: { petId: '1', written: '4', shown: '5' } },
  ],
  ['the pet is gone', walk({ 1: 5, 2: 7 }, { 2: 7 }), { verdict: 'fail', facts: { shown: 'absent' } }],
  [
    'another entry moved with it',
    walk({ 1: 5, 2: 7 }, { 1: 4, 2: 8 }),
    { verdict: 'fail', code: 'other-entries-changed', facts: { petId: '2', before: '7', after: '8', changed: 1 } },
  ],
  ...(
    [
      ['the pet got another status', '1', { verdict: 'pass' }],
      [
        'another pet got another status',
        '2',
        { verdict: 'fail', code: 'other-entries-changed', facts: { changed: 1 } },
      ],
    ] as const
  ).map(([title, petId, expected]): [string, ExchangePart[], object] => [
    title,
    walk({ 1: 5, 2: 7 }, { 1: 4, 2: 7 }).map((part, i) =>
      i === 3
        ? { ...part, body: listing({ 1: 4, 2: 7 }).replace(new RegExp(`(:${petId},.*?)sold`), '$1pending') }
        : part,
    ),
    expected,
  ]),
  ['another entry came or went', walk({ 1: 5, 2: 7 }, { 1: 4, 3: 1 }), { verdict: 'fail', facts: { changed: 2 } }],
  [
    'somebody else writes meanwhile',
    walk({ 1: 5, 2: 6 }, { 1: 4, 2: 5 }),
    { verdict: 'inconclusive', code: 'somebody-else-writes' },
  ],
  [
    'the PATCH was not accepted',
    walk({ 1: 5, 2: 7 }, { 1: 5, 2: 7 }, refusal(500)),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ...[0, 1, 3].map(
    (at) =>
      [
        `reading ${at} of it can not be read`,
        walk({ 1: 5, 2: 7 }, { 1: 5, 2: 7 }).map((part, i) => (i === at ? { ...part, body: '{}' } : part)),
        { verdict: 'inconclusive', code: 'list-unreadable' },
      ] as const,
  ),
  ...[0, 1, 3].map(
    (at) =>
      [
        `reading ${at} of it is missing`,
        walk({ 1: 5, 2: 7 }, { 1: 5, 2: 7 }).filter((_, i) => i !== at),
        { verdict: 'inconclusive', code: 'not-told' },
      ] as const,
  ),
  [
    'all that was changed in the same moment shows',
    atOnce([], { 1: 4, 2: 6, 3: 9 }, { 1: 5, 2: 7, 3: 9 }),
    { verdict: 'pass', facts: { writes: 6 } },
  ],
  [
    'of what was changed in the same moment something is lost, twice',
    atOnce([], { 1: 5, 2: 6, 3: 9 }, { 1: 5, 2: 6, 3: 9 }),
    { verdict: 'fail', code: 'change-lost', facts: { petId: '1', written: '4', shown: '5', times: 2 } },
  ],
  [
    'it is lost once: somebody else may have put the pet back',
    atOnce([], { 1: 5, 2: 6, 3: 9 }, { 1: 5, 2: 7, 3: 9 }),
    { verdict: 'inconclusive', code: 'change-lost-once' },
  ],
  [
    'changes of other probes show in no list behind them',
    laterOn({}, {}),
    { verdict: 'fail', code: 'change-lost', facts: { petId: '2', written: '3', shown: '7', times: 2 } },
  ],
  [
    'they are answered with what the pets had, which is another clause’s',
    laterOn({ body: entry('2', 7) }, { body: entry('3', 9) }),
    { verdict: 'pass' },
  ],
  [
    'they do not show, and others change without a PATCH',
    laterOn({}, {}, { 1: 30, 2: 7, 3: 9 }),
    { verdict: 'inconclusive', code: 'somebody-else-writes' },
  ],
  [
    'another entry shows what was written to them',
    laterOn({}, {}, { 1: 4, 2: 7, 3: 9, 9: 3 }, { 1: 4, 2: 7, 3: 9, 9: 4 }),
    { verdict: 'pass' },
  ],
  ['they show later', laterOn({}, {}, undefined, { 1: 4, 2: 3, 3: 4 }), { verdict: 'pass' }],
  [
    'somebody else sets a pet to what it never was',
    atOnce([], { 1: 4, 2: 30, 3: 9 }, { 1: 5, 2: 31, 3: 9 }),
    { verdict: 'pass' },
  ],
  ...[409, 404, 429, 500].map(
    (status) =>
      [
        `one in the same moment is answered ${status}`,
        atOnce([refusal(status), refusal(status)], { 1: 4, 2: 7, 3: 9 }, { 1: 5, 2: 7, 3: 9 }),
        { verdict: 'pass' },
      ] as const,
  ),
  [
    'one in the same moment is not answered, and shows only later',
    atOnce([{ status: null }, { status: null }], { 1: 4, 2: 7, 3: 9 }, { 1: 5, 2: 6, 3: 9 }),
    { verdict: 'pass' },
  ],
  [
    'a list can not be read',
    [...walk({ 1: 5, 2: 7 }, {}).slice(0, 3), { probe: rwr, step: 'after', body: '{}' }],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
])
