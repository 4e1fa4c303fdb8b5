import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { verdictTable } from '../testing/verdict-table.js'
import { boundsKeptExactly } from './bounds-kept-exactly.js'
import { boundsListedExactly } from './bounds-listed-exactly.js'
import { invalidValues } from './invalid-values.js'
import { lackingQuantity } from './lacking-quantity.js'
import { list } from './list.js'
import { listIsCurrent } from './list-is-current.js'
import { looseRequestsCheck } from './loose-requests.js'
import { neighbours } from './neighbours.js'
import { operationsExist } from './operations-exist.js'
import { otherOperationsCheck } from './other-operations.js'
import { quantityBoundsCheck } from './quantity-bounds.js'
import { refusalsChangeNothing } from './refusals-change-nothing.js'
import { refusedWrite } from './refused-write.js'
import { unknownPetCheck } from './unknown-pet.js'
import { updateAnswer } from './update-answer.js'

type Stock = Readonly<Record<string, string | number>>
const entry = (petId: string, quantity: string | number) => `{"petId":${petId},"quantity":${quantity},"status":"sold"}`
const listing = (stock: Stock) =>
  `[${Object.entries(stock)
    .map(([petId, quantity]) => entry(petId, quantity))
    .join(',')}]`

const read = (probe: string, step: string, stock: Stock, part: ExchangePart = {}): ExchangePart => ({
  probe,
  step,
  body: listing(stock),
  ...part,
})
const patch = (
  probe: string,
  step: string,
  petId: string,
  quantity: string | number,
  part: ExchangePart = {},
): ExchangePart => ({
  probe,
  step,
  operation: 'updateInventory',
  body: entry(petId, quantity),
  intent: { petId, quantity: String(quantity) },
  ...part,
})
const refusal = (status: number): ExchangePart => ({ status, body: {} })

verdictTable(list, [
  ['it is an array', [{ body: '[]' }, { body: listing({ 1: 5 }) }], { verdict: 'pass', facts: { examined: 2 } }],
  ['it is an object', [{ body: '{"items":[]}' }], { verdict: 'fail', code: 'list-is-no-array' }],
  ['it is answered 204', [{ status: 204 }], { verdict: 'fail', code: 'unexpected-status', facts: { got: 204 } }],
  ['it does not parse, which is another clause’s', [{ body: '[' }], { verdict: 'pass' }],
  ['it was cut off by the harness', [{ body: '{', truncated: true }], { verdict: 'pass' }],
  [
    'a key is not accepted at all',
    [{ body: '[]' }, { key: 'pro', status: 401 }],
    { verdict: 'pass', facts: { examined: 1 } },
  ],
  [
    'it is refused under a limit or a ban',
    [{ body: '[]' }, { status: 429 }, { status: 403 }],
    { verdict: 'pass', facts: { examined: 2 } },
  ],
  [
    'it is asked with another credential',
    [{ body: '[]' }, { credential: 'none', status: 401 }],
    { verdict: 'pass', facts: { examined: 1 } },
  ],
  ['it is not answered', [{ status: null }], { verdict: 'inconclusive', code: 'no-answer' }],
])

const rwr = 'read-write-read'
const walk = (control: Stock, after: Stock, part: ExchangePart = {}) => [
  read(rwr, 'before', { 1: 5, 2: 7 }),
  read(rwr, 'control', control),
  patch(rwr, 'patch', '1', 4, part),
  read(rwr, 'after', after),
]
verdictTable(listIsCurrent, [
  [
    'it shows the change and no other',
    walk({ 1: 5, 2: 7 }, { 1: 4, 2: 7 }),
    { verdict: 'pass', facts: { examined: 2 } },
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
  ['another entry came or went', walk({ 1: 5, 2: 7 }, { 1: 4, 3: 1 }), { verdict: 'fail', facts: { changed: 2 } }],
  [
    'somebody else writes meanwhile',
    walk({ 1: 5, 2: 6 }, { 1: 4, 2: 5 }),
    { verdict: 'inconclusive', code: 'somebody-else-writes' },
  ],
  [
    'the PATCH was not accepted',
    walk({ 1: 5, 2: 7 }, { 1: 5, 2: 7 }, refusal(500)),
    { verdict: 'inconclusive', code: 'nothing-to-judge' },
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
        { verdict: 'inconclusive', code: 'nothing-to-judge' },
      ] as const,
  ),
  [
    'a list can not be read',
    [...walk({ 1: 5, 2: 7 }, {}).slice(0, 3), { probe: rwr, step: 'after', body: '{}' }],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
])

const answered = (body: string, part: ExchangePart = {}) =>
  patch(rwr, 'patch', '9007199254740993', 4, { body, ...part })
verdictTable(updateAnswer, [
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
    'it shows what a double makes of the id, which is another clause’s',
    [answered(entry('9007199254740992', 4))],
    { verdict: 'pass' },
  ],
  [
    'it shows another quantity',
    [answered(entry('9007199254740993', 5))],
    { verdict: 'fail', code: 'update-shows-another-quantity', facts: { sent: '4', shown: '5' } },
  ],
  ['it is a list', [answered('[]')], { verdict: 'fail', code: 'update-is-no-object' }],
  ['a field of it can not be read, which is another clause’s', [answered('{"petId":"x"}')], { verdict: 'pass' }],
  ['its quantity was put back and shown so', [patch(rwr, 'patch-back', '1', 5)], { verdict: 'pass' }],
  ['a control is not accepted', [patch('invalid-bodies', 'control', '1', 5, refusal(400))], { verdict: 'fail' }],
  [
    'an invalid one is refused, as it should be',
    [patch(rwr, 'patch', '1', 4), patch('invalid-bodies', 'invalid', '1', 4, refusal(400))],
    { verdict: 'pass', facts: { examined: 1 } },
  ],
  ['a valid one was refused by the limit', [patch(rwr, 'patch', '1', 4, refusal(429))], { verdict: 'inconclusive' }],
  [
    'one of two valid ones was refused by the limit',
    [patch(rwr, 'patch', '1', 4), patch(rwr, 'patch-back', '1', 5, refusal(429))],
    { verdict: 'inconclusive', code: 'no-answer' },
  ],
  ['none was sent', [], { verdict: 'inconclusive' }],
])

const bad = (step: string, status: number | null) =>
  patch('invalid-bodies', step, '1', 5, { status, intent: { case: 'a case' } })
const good = patch('invalid-bodies', 'control', '1', 5)
for (const [check, step] of [
  [invalidValues, 'invalid'],
  [lackingQuantity, 'lacking'],
] as const) {
  verdictTable(check, [
    ['each is answered 400', [good, bad(step, 400), bad(step, 400)], { verdict: 'pass', facts: { examined: 2 } }],
    [
      'one is accepted',
      [good, bad(step, 400), bad(step, 200)],
      { verdict: 'fail', facts: { case: 'a case', expected: '400', got: 200 } },
    ],
    ['one is answered 422', [good, bad(step, 422)], { verdict: 'fail' }],
    ['one is refused by the limit', [good, bad(step, 429)], { verdict: 'inconclusive', code: 'no-answer' }],
    [
      'the valid one is refused too',
      [{ ...good, status: 400 }, bad(step, 400)],
      { verdict: 'inconclusive', code: 'control-failed' },
    ],
    [
      'the other table is broken',
      [good, bad(step, 400), bad(step === 'invalid' ? 'lacking' : 'invalid', 200)],
      { verdict: 'pass' },
    ],
    ['none was sent', [], { verdict: 'inconclusive' }],
  ])
}

const absent = (status: number) => patch('unknown-pet', 'unknown', '77', 5, { status })
const present = patch('unknown-pet', 'control', '1', 5)
verdictTable(unknownPetCheck, [
  ['it is answered 404', [present, absent(404)], { verdict: 'pass' }],
  [
    'it is answered 200',
    [present, absent(404), absent(200)],
    { verdict: 'fail', facts: { expected: '404', got: 200 } },
  ],
  [
    'a pet that is there is refused too',
    [{ ...present, status: 404 }, absent(404)],
    { verdict: 'inconclusive', code: 'control-failed' },
  ],
])

const between = (probe: string, status: number, after: Stock) => [
  read(probe, 'before', { 1: 5 }),
  patch(probe, 'control', '1', 5),
  patch(probe, 'invalid', '1', 9, refusal(status)),
  read(probe, 'after', after),
]
verdictTable(refusalsChangeNothing, [
  [
    'nothing moves',
    [...between('invalid-bodies', 400, { 1: 5 }), ...between('unknown-pet', 404, { 1: 5 })],
    { verdict: 'pass' },
  ],
  [
    'the pet moves',
    [...between('invalid-bodies', 400, { 1: 5 }), ...between('unknown-pet', 404, { 1: 9 })],
    { verdict: 'fail', code: 'refused-but-changed', facts: { status: 404, before: '5', after: '9' } },
  ],
  [
    'the pet appears',
    [
      ...between('invalid-bodies', 400, { 1: 5 }),
      read('unknown-pet', 'before', {}),
      patch('unknown-pet', 'unknown', '77', 1, refusal(404)),
      read('unknown-pet', 'after', { 77: 1 }),
    ],
    { verdict: 'fail', facts: { petId: '77', before: 'absent' } },
  ],
  [
    'another pet moves, by somebody else',
    [...between('invalid-bodies', 400, { 1: 5, 2: 2 }), ...between('unknown-pet', 404, { 1: 5 })],
    { verdict: 'pass' },
  ],
  ['a body that was let through explains it', between('invalid-bodies', 200, { 1: 9 }), { verdict: 'inconclusive' }],
  [
    'a list can not be read',
    [
      ...between('unknown-pet', 404, { 1: 5 }),
      ...between('invalid-bodies', 400, {}).slice(0, 3),
      { probe: 'invalid-bodies', step: 'after', body: 'x' },
    ],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
])

const late = (part: ExchangePart, after: Stock = { 1: 5 }) => [
  read('burst', 'before', { 1: 5 }),
  patch('burst', 'write-refused', '1', 4, part),
  read('burst', 'after', after),
]
verdictTable(refusedWrite, [
  ['it changes nothing', late(refusal(429)), { verdict: 'pass' }],
  ['it changes nothing under a ban', late(refusal(403)), { verdict: 'pass' }],
  [
    'it takes effect',
    late(refusal(429), { 1: 4 }),
    { verdict: 'fail', code: 'refused-but-changed', facts: { status: 429, before: '5', after: '4' } },
  ],
  [
    'another PATCH of the pet was admitted by then',
    late(refusal(429), { 1: 4 }).toSpliced(2, 0, patch('burst', 'spelling', '1', 4)),
    { verdict: 'not-tested', code: 'write-was-admitted' },
  ],
  [
    'another PATCH of the pet was refused too',
    late(refusal(429), { 1: 4 }).toSpliced(2, 0, patch('burst', 'spelling', '1', 4, refusal(429))),
    { verdict: 'fail', code: 'refused-but-changed' },
  ],
  ['it was admitted', late({}, { 1: 4 }), { verdict: 'not-tested', code: 'write-was-admitted' }],
  ['it was not answered', late({ status: null }), { verdict: 'inconclusive', code: 'no-answer' }],
  [
    'only another key read the list after it',
    [...late(refusal(429)).slice(0, 2), read('burst', 'after', { 1: 4 }, { key: 'pro' })],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
  ['none was sent', [read('burst', 'before', { 1: 5 })], { verdict: 'not-tested', code: 'never-refused' }],
])

const [large, twin] = ['9007199254740993', '9007199254740992']
const ids = 'neighbour-ids'
const aimed = (step: string, part: ExchangePart = {}) =>
  patch(ids, step, step === 'patch' ? large : twin, 4, {
    intent: { petId: step === 'patch' ? large : twin, neighbour: step === 'patch' ? twin : large, quantity: '4' },
    ...part,
  })
const around = (before: Stock, patched: ExchangePart, after: Stock) => [
  read(ids, 'look', before),
  read(ids, 'before', before),
  patched,
  read(ids, 'after', after),
]
const both = { [large]: 5, [twin]: 7 }
verdictTable(neighbours, [
  [
    'only the pet that was asked for moves',
    around(both, aimed('patch'), { [large]: 4, [twin]: 7 }),
    { verdict: 'pass' },
  ],
  [
    'its neighbour moves',
    around(both, aimed('patch'), { [large]: 5, [twin]: 4 }),
    { verdict: 'fail', code: 'neighbour-changed', facts: { asked: large, neighbour: twin } },
  ],
  [
    'both move',
    around(both, aimed('patch'), { [large]: 4, [twin]: 4 }),
    { verdict: 'fail', code: 'neighbour-changed' },
  ],
  [
    'it is not found',
    around(both, aimed('patch', refusal(404)), both),
    { verdict: 'fail', code: 'large-id-not-found' },
  ],
  [
    'it is refused otherwise',
    around(both, aimed('patch', refusal(500)), both),
    { verdict: 'inconclusive', code: 'control-failed' },
  ],
  [
    'the PATCH has no effect, which is another clause’s',
    around(both, aimed('patch'), both),
    { verdict: 'inconclusive', code: 'control-failed' },
  ],
  [
    'a neighbour that is not there is not found',
    around({ [large]: 5 }, aimed('patch-absent', refusal(404)), { [large]: 5 }),
    { verdict: 'pass' },
  ],
  [
    'a neighbour that is not there is accepted',
    around({ [large]: 5 }, aimed('patch-absent'), { [large]: 5 }),
    { verdict: 'fail', code: 'absent-neighbour-accepted' },
  ],
  [
    'a neighbour that is not there stands for the one that is',
    around({ [large]: 5 }, aimed('patch-absent'), { [large]: 4 }),
    { verdict: 'fail', code: 'neighbour-changed' },
  ],
  [
    'the list shows one id twice',
    [{ probe: ids, step: 'look', body: `[${entry(large, 1)},${entry(large, 2)}]` }],
    { verdict: 'fail', code: 'large-id-twice' },
  ],
  [
    'a list can not be read',
    [...around(both, aimed('patch'), both).slice(0, 3), { probe: ids, step: 'after', body: '{}' }],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
  ['the list was not read after it', around(both, aimed('patch'), both).slice(0, 3), { verdict: 'inconclusive' }],
  ['there is no large id', [read(ids, 'look', { 1: 5 })], { verdict: 'not-tested', code: 'no-large-ids' }],
])

const nobody = (operation: 'getPet' | 'listOrders' | 'listInventory', status: number | null): ExchangePart => ({
  probe: 'no-key',
  step: 'without',
  credential: 'none',
  operation,
  status,
})
verdictTable(operationsExist, [
  ['both answer 401', [nobody('getPet', 401), nobody('listOrders', 401)], { verdict: 'pass', facts: { examined: 2 } }],
  ['one is let in, which is another clause’s', [nobody('getPet', 200), nobody('listOrders', 401)], { verdict: 'pass' }],
  ...[404, 405, 501].map(
    (status) =>
      [
        `one answers ${status}`,
        [nobody('getPet', 401), nobody('listOrders', status)],
        { verdict: 'fail', code: 'operation-missing', facts: { got: status } },
      ] as const,
  ),
  [
    'another operation is not there',
    [nobody('getPet', 401), nobody('listInventory', 404)],
    { verdict: 'pass', facts: { examined: 1 } },
  ],
  ['one is not answered', [nobody('getPet', null)], { verdict: 'inconclusive' }],
])

const bounds = 'quantity-bounds'
const huge = '9007199254740993'
const kept = (shown: string) => [patch(bounds, 'patch', '1', huge, { body: entry('1', shown) })]
const listed = (shown: string) => [
  ...kept(huge),
  read(bounds, 'read-back', { 1: shown }, { intent: { petId: '1', quantity: huge } }),
]
verdictTable(boundsKeptExactly, [
  ['it is answered to the digit', kept(huge), { verdict: 'pass' }],
  [
    'it is answered as a double has it',
    kept('9007199254740992'),
    { verdict: 'fail', code: 'accepted-but-not-kept', facts: { sent: huge, shown: '9007199254740992' } },
  ],
  [
    'every bound was refused',
    [patch(bounds, 'patch', '1', huge, refusal(400))],
    { verdict: 'not-tested', code: 'all-bounds-refused' },
  ],
])
verdictTable(boundsListedExactly, [
  ['it is listed to the digit', listed(huge), { verdict: 'pass' }],
  ['it is listed as a double has it', listed('9007199254740992'), { verdict: 'fail', code: 'accepted-but-not-kept' }],
  ['it is not listed', kept(huge), { verdict: 'inconclusive', code: 'list-unreadable' }],
  ['every bound was refused', [patch(bounds, 'patch', '1', huge, refusal(400))], { verdict: 'not-tested' }],
])
verdictTable(quantityBoundsCheck, [
  [
    'what was accepted can not be read back',
    [...kept(huge), { probe: bounds, step: 'read-back', body: '{}', intent: { petId: '1', quantity: huge } }],
    { verdict: 'observed', facts: { accepted: [huge], lossy: [] } },
  ],
  ['what was accepted is read back as it was', listed(huge), { verdict: 'observed', facts: { lossy: [] } }],
  [
    'some are accepted, some not, some rounded',
    [...listed('9007199254740992'), patch(bounds, 'patch', '1', '-1', refusal(400))],
    {
      verdict: 'observed',
      facts: { accepted: [huge], refused: ['-1 (400)'], lossy: [`${huge} came back as 9007199254740992`] },
    },
  ],
  ['none was sent', [], { verdict: 'inconclusive' }],
])

for (const [check, probe, step] of [
  [looseRequestsCheck, 'loose-requests', 'loose'],
  [otherOperationsCheck, 'other-operations', 'with-key'],
] as const) {
  verdictTable(check, [
    [
      'they are answered',
      [
        { probe, step, status: 400, intent: { case: 'one' } },
        { probe, step, status: 200, intent: { case: 'two' } },
      ],
      { verdict: 'observed', facts: { seen: ['one: 400', 'two: 200'] } },
    ],
    ['none was asked', [], { verdict: 'inconclusive' }],
  ])
}
