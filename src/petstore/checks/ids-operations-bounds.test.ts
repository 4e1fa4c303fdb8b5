import { verdictTable } from '../../checks/testing/verdict-table.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { looseRequestsCheck, operationsExist, otherOperationsCheck } from './interface.js'
import { idsListedOnce, neighbours } from './inventory-lists.js'
import { boundsKeptExactly, boundsListedExactly, quantityBoundsCheck } from './inventory-updates.js'
import { entry, patch, read, refusal, type Stock } from './testing/stock.js'

const [large, twin] = ['9007199254740993', '9007199254740992']
const ids = 'neighbour-ids'
const aimed = (step: string, part: ExchangePart = {}) =>
  patch(ids, step, step === 'patch' ? large : twin, 4, {
    intent: { petId: step === 'patch' ? large : twin, neighbour: step === 'patch' ? twin : large, quantity: '4' },
    ...part,
  })
const around = (before: Stock, patched: ExchangePart, after: Stock) => [
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
    'a neighbour that is not there is accepted, as any other id is',
    [...around({ [large]: 5 }, aimed('patch-absent'), { [large]: 5 }), patch('unknown-pet', 'unknown', '77', 4)],
    { verdict: 'pass' },
  ],
  [
    'a neighbour that is not there stands for the one that is',
    around({ [large]: 5 }, aimed('patch-absent'), { [large]: 4 }),
    { verdict: 'fail', code: 'neighbour-changed' },
  ],
  [
    'the list shows one id twice',
    [{ probe: ids, step: 'before', body: `[${entry(large, 1)},${entry(large, 2)}]` }],
    { verdict: 'fail', code: 'id-twice' },
  ],
  [
    'a list can not be read',
    [...around(both, aimed('patch'), both).slice(0, 2), { probe: ids, step: 'after', body: '{}' }],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
  ['the list was not read after it', around(both, aimed('patch'), both).slice(0, 2), { verdict: 'inconclusive' }],
  ['there is no large id', [read(ids, 'before', { 1: 5 })], { verdict: 'not-tested', code: 'no-large-ids' }],
])

const twice = (id: string, part: ExchangePart = {}): ExchangePart => ({
  ...part,
  body: `[${entry(id, 1)},${entry(id, 2)}]`,
})
const once = around({ [large]: 5 }, aimed('patch-absent', refusal(404)), { [large]: 5 })
verdictTable(idsListedOnce, [
  ['each stands once, and large ones were tried', once, { verdict: 'pass', facts: { told: 2 } }],
  ...['7', '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740992', '-1'].map(
    (id) => [`${id} stands twice`, [twice(id)], { verdict: 'fail', code: 'id-twice', facts: { petId: id } }] as const,
  ),
  [
    'one stands twice in the last list of many',
    [...once, twice('7', { probe: 'hello' })],
    { verdict: 'fail', facts: { petId: '7' } },
  ],
  ['each stands once, and nothing tries large ones', [read('hello', 'list', { 1: 5 })], { verdict: 'not-tested' }],
  ['no list can be read', [{ probe: ids, body: 'x' }], { verdict: 'inconclusive', facts: { leftOut: 1 } }],
])

const nobody = (operation: 'getPet' | 'listOrders' | 'listInventory', status: number | null): ExchangePart => ({
  probe: 'no-key',
  step: 'without',
  credential: 'none',
  operation,
  status,
})
verdictTable(operationsExist, [
  ['both answer 401', [nobody('getPet', 401), nobody('listOrders', 401)], { verdict: 'pass', facts: { told: 2 } }],
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
    [nobody('getPet', 401), nobody('listOrders', 401), nobody('listInventory', 404)],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  ['one is not answered', [nobody('getPet', null)], { verdict: 'inconclusive' }],
  ...[429, 500].map(
    (status) =>
      [
        `something before one answers ${status}`,
        [nobody('getPet', 401), nobody('listOrders', status)],
        { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['GET /store/orders'], leftOut: 1 } },
      ] as const,
  ),
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
  ['no list was read', kept(huge), { verdict: 'inconclusive', code: 'list-unreadable' }],
  [
    'the list has lost the pet',
    [...kept(huge), read(bounds, 'read-back', { 2: 5 }, { intent: { petId: '1', quantity: huge } })],
    { verdict: 'fail', code: 'accepted-but-not-kept', facts: { sent: huge, shown: 'absent' } },
  ],
  [
    'lists leave other entries out now and then, and this one as well',
    [
      ...[
        [1, 2, 3],
        [2, 3],
        [1, 2, 3],
        [1, 3],
        [1, 2, 3],
      ].map((ids) => read('hello', 'list', Object.fromEntries(ids.map((id) => [id, 5])))),
      ...kept(huge),
      read(bounds, 'read-back', { 2: 5, 3: 5 }, { intent: { petId: '1', quantity: huge } }),
    ],
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'an entry that can not be read may be the pet',
    [...kept(huge), read(bounds, 'read-back', { 2: 'null' }, { intent: { petId: '1', quantity: huge } })],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
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
