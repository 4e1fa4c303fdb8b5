import { verdictTable } from '../../checks/testing/verdict-table.js'
import type { HeaderLine } from '../../evidence/exchange.js'
import type { Ledger } from '../../evidence/ledger.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { idsListedOnce, list, listIsCurrent } from './inventory-lists.js'
import { updateAnswer } from './inventory-updates.js'
import { statusField } from './schema.js'
import { entry, listing, patch, read, refusal, type Stock } from './testing/stock.js'

const lists = (...stocks: readonly Stock[]) => stocks.map((stock) => read('hello', 'list', stock))
const [whole, without1, without2] = [
  { 1: 5, 2: 7, 3: 9 },
  { 2: 7, 3: 9 },
  { 1: 5, 3: 9 },
]

/** A load between the nth list and the next, whose lists were kept whole. */
const loadAt = (nth: number, ...bodies: readonly string[]) => loadWith([], nth, ...bodies)
const loadWith = (headers: HeaderLine[], nth: number, ...bodies: readonly string[]) =>
  madeLedger(
    bodies.map((_, i) => ({ sentMs: nth * 100 + 10 + i })),
    {
      id: `load-${nth}`,
      samples: bodies.map((content, row) => ({
        row,
        status: 200,
        reason: '',
        headers,
        body: { encoding: 'utf8', content, bytes: content.length, truncated: false },
      })),
    },
  )

/** The whole list, read five times, with loads between. */
const besideLoads = (...ledgers: readonly Ledger[]) =>
  madeEvidence(lists(whole, whole, whole, whole, whole), { ledgers })

verdictTable(list, [
  [
    'loads leave out entries that the lists before and after show',
    besideLoads(loadAt(1, listing(whole), '[]', '[]'), loadAt(3, listing(whole), listing(without2))),
    {
      verdict: 'fail',
      code: 'entries-left-out',
      facts: { petId: '1', holes: 2, lists: 10 },
      witnesses: ['x2', 'load-1#1', 'x3', 'x4', 'load-3#1', 'x5'],
    },
  ],
  [
    'one load leaves entries out: somebody may have taken them away and put them back',
    besideLoads(loadAt(1, listing(whole), '[]', '[]'), loadAt(3, listing(whole))),
    { verdict: 'pass' },
  ],
  [
    'a load is answered with a page',
    besideLoads(loadAt(2, listing(whole), '<html>')),
    { verdict: 'fail', code: 'list-is-no-array', witnesses: ['load-2#1'] },
  ],
  [
    'a load is answered in a coding that the recording did not undo',
    besideLoads(loadWith([['Content-Encoding', 'gzip']], 2, '\u001f\u008b')),
    { verdict: 'pass' },
  ],
  [
    'two leave out an entry that those around them show',
    lists(whole, without1, whole, without2, whole),
    {
      verdict: 'fail',
      code: 'entries-left-out',
      facts: { petId: '1', holes: 2, lists: 5 },
      witnesses: ['x1', 'x2', 'x3', 'x4', 'x5'],
    },
  ],
  [
    'one does: somebody may have taken it away and put it back',
    lists(whole, without1, whole, whole),
    { verdict: 'pass' },
  ],
  [
    'an entry is gone for longer: somebody takes it away and puts it back',
    lists(whole, without1, whole, without1, without1, whole, without1, whole),
    { verdict: 'pass' },
  ],
  [
    'all entries are gone, also for longer: nobody puts all of them back',
    lists(whole, {}, whole, {}, {}, whole, {}, whole),
    { verdict: 'fail', code: 'entries-left-out', facts: { petId: '1', holes: 2 } },
  ],
  ['an entry goes, and another comes', lists(without1, whole, without2, without2), { verdict: 'pass' }],
  [
    'an entry leaves it when a PATCH names it, which is another clause’s',
    [
      ...lists(whole),
      patch('hello', 'patch', '1', 0),
      ...lists(without1),
      patch('hello', 'patch', '1', 5),
      ...lists(whole),
      patch('hello', 'patch', '2', 0),
      ...lists(without2, whole),
    ],
    { verdict: 'pass' },
  ],
  [
    'two show entries that have no id that can be read',
    [...lists(whole), { body: '[{"petId":"1"}]' }, ...lists(whole), { body: '[{}]' }, ...lists(whole)],
    { verdict: 'pass' },
  ],
  ['it is an array', [{ body: '[]' }, { body: listing({ 1: 5 }) }], { verdict: 'pass', facts: { told: 2 } }],
  ['it is an object', [{ body: '{"items":[]}' }], { verdict: 'fail', code: 'list-is-no-array' }],
  ['it is answered 204', [{ status: 204 }], { verdict: 'fail', code: 'unexpected-status', facts: { got: 204 } }],
  ['it does not parse', [{ body: '[' }], { verdict: 'fail', code: 'list-is-no-array' }],
  ['it is a page', [{ body: '<html>' }], { verdict: 'fail', code: 'list-is-no-array' }],
  [
    'it was cut off by the harness',
    [{ body: '{', truncated: true }],
    { verdict: 'inconclusive', facts: { told: 0, leftOut: 1 } },
  ],
  [
    'a key is not accepted at all',
    [{ body: '[]' }, { key: 'pro', status: 401 }],
    { verdict: 'pass', facts: { told: 1 } },
  ],
  [
    'it is refused under a limit or a ban',
    [{ body: '[]' }, { status: 429 }, { status: 403 }],
    { verdict: 'pass', facts: { told: 1, leftOut: 1 } },
  ],
  [
    'it is asked with another credential',
    [{ body: '[]' }, { credential: 'none', status: 401 }],
    { verdict: 'pass', facts: { told: 1 } },
  ],
  ['it is not answered', [{ status: null }], { verdict: 'inconclusive', code: 'no-answer' }],
])

verdictTable(idsListedOnce, [
  [
    'lists in loads show each id once',
    madeEvidence([...lists(whole), patch('neighbour-ids', 'patch', '9007199254740993', 5)], {
      ledgers: [loadAt(1, listing(whole))],
    }),
    { verdict: 'pass' },
  ],
  [
    'a list in a load shows an id twice',
    besideLoads(loadAt(2, listing(whole), `[${entry('1', 5)},${entry('1', 5)}]`)),
    { verdict: 'fail', code: 'id-twice', facts: { petId: '1' }, witnesses: ['load-2#1'] },
  ],
])

verdictTable(statusField, [
  [
    'lists in loads show entries with it',
    madeEvidence([...lists(whole), patch('read-write-read', 'patch', '1', 5)], {
      ledgers: [loadAt(1, listing(whole))],
    }),
    { verdict: 'pass' },
  ],
  [
    'a list in a load shows an entry without it',
    besideLoads(loadAt(2, listing(whole), '[{"petId":1,"quantity":5}]')),
    { verdict: 'fail', code: 'field-missing', witnesses: ['load-2#1'] },
  ],
])

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

/** Two pets are changed in the same moment and back, and a list is read beside them, the first and the second time. */
const besideAtOnce = (...beside: readonly [Stock, Stock]): ExchangePart[] => {
  const lists: readonly [Stock, Stock] = [
    { 1: 4, 2: 6, 3: 9 },
    { 1: 5, 2: 7, 3: 9 },
  ]
  let time = 0
  return atOnce([], ...lists).flatMap((part) =>
    part.step === 'after-all' ? [read(rwr, 'at-once', beside[time++]), part] : [part],
  )
}

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
    { verdict: 'pass', facts: { writes: 5 } },
  ],
  [
    'of what was changed in the same moment something is lost, twice',
    atOnce([], { 1: 5, 2: 6, 3: 9 }, { 1: 5, 2: 6, 3: 9 }),
    { verdict: 'fail', code: 'change-lost', facts: { petId: '1', written: '4', shown: '5', atOnce: 2, times: 2 } },
  ],
  [
    'it is lost once: somebody else may have put the pet back',
    atOnce([], { 1: 5, 2: 6, 3: 9 }, { 1: 5, 2: 7, 3: 9 }),
    { verdict: 'inconclusive', code: 'change-lost-once' },
  ],
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
    atOnce([{ status: null }, { status: null }], { 1: 5, 2: 7, 3: 9 }, { 1: 4, 2: 6, 3: 9 }),
    { verdict: 'pass' },
  ],
  [
    'a list can not be read',
    [...walk({ 1: 5, 2: 7 }, {}).slice(0, 3), { probe: rwr, step: 'after', body: '{}' }],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
])

const answered = (body: string, part: ExchangePart = {}) =>
  patch(rwr, 'patch', '9007199254740993', 4, { body, ...part })
verdictTable(updateAnswer, [
  ...(['-3', '0', '1152921504606846976'] as const).map(
    (quantity) =>
      [
        `the pet holds ${quantity}, which bounds may forbid`,
        [patch(rwr, 'patch-back', '1', quantity, refusal(400)), patch(rwr, 'patch', '1', 4)],
        { verdict: 'pass', facts: { told: 1, leftOut: 1 } },
      ] as const,
  ),
  ['any quantity is refused', [patch(rwr, 'patch', '1', 4, refusal(400))], { verdict: 'fail' }],
  ['it is the updated entry', [answered(entry('9007199254740993', 4))], { verdict: 'pass' }],
  [
    'it is answered 204',
    [answered('', { status: 204 })],
    { verdict: 'fail', code: 'update-not-accepted', facts: { got: 204 } },
  ],
  [
    'it shows another pet',
    [answered(entry('7', 4))],
    { verdict: 'fail', code: 'update-shows-another-pet', facts: { asked: '9007199254740993', shown: '7' } },
  ],
  [
    'it shows what a double makes of the id',
    [answered(entry('9007199254740992', 4))],
    { verdict: 'fail', code: 'update-shows-another-pet' },
  ],
  [
    'it shows another quantity',
    [answered(entry('9007199254740993', 5))],
    { verdict: 'fail', code: 'update-shows-another-quantity', facts: { sent: '4', shown: '5' } },
  ],
  ['it is a list', [answered('[]')], { verdict: 'fail', code: 'update-is-no-object' }],
  [
    'a field of it can not be read, which is another clause’s',
    [answered('{"petId":"x","quantity":4}')],
    { verdict: 'inconclusive', facts: { told: 0, leftOut: 1 } },
  ],
  [
    'of several at once, one shows what another one set',
    [
      patch(rwr, 'patch', '1', 4),
      patch(rwr, 'at-once', '2', 6, { body: entry('3', 8) }),
      patch(rwr, 'at-once', '3', 8),
    ],
    { verdict: 'fail', code: 'update-shows-another-pet', facts: { asked: '2', shown: '3' } },
  ],
  [
    'one for another key of a plan is refused',
    [patch(rwr, 'patch', '1', 4), patch('header-row', 'valid', '2', 7, { ...refusal(403), key: 'free' })],
    { verdict: 'fail', code: 'update-not-accepted', facts: { got: 403 } },
  ],
  ['it shows nothing of the entry', [answered('{"ok":true}')], { verdict: 'fail', code: 'update-is-no-entry' }],
  ['its quantity was put back and shown so', [patch(rwr, 'patch-back', '1', 5)], { verdict: 'pass' }],
  ['a control is not accepted', [patch('invalid-bodies', 'control', '1', 5, refusal(400))], { verdict: 'fail' }],
  [
    'an invalid one is refused, as it should be',
    [patch(rwr, 'patch', '1', 4), patch('invalid-bodies', 'invalid', '1', 4, refusal(400))],
    { verdict: 'pass', facts: { told: 1 } },
  ],
  ['a valid one was refused by the limit', [patch(rwr, 'patch', '1', 4, refusal(429))], { verdict: 'inconclusive' }],
  [
    'one of two valid ones was refused by the limit',
    [patch(rwr, 'patch', '1', 4), patch(rwr, 'patch-back', '1', 5, refusal(429))],
    { verdict: 'inconclusive', code: 'no-answer' },
  ],
  ['none was sent', [], { verdict: 'inconclusive' }],
])
