import { verdictTable } from '../../checks/testing/verdict-table.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import {
  invalidValues,
  lackingQuantity,
  refusalsChangeNothing,
  refusedWrite,
  unknownPetCheck,
} from './inventory-refusals.js'
import { entry, listing, patch, read, refusal, type Stock } from './testing/stock.js'

const bad = (step: string, status: number | null, named = 'a case') =>
  patch('invalid-bodies', step, '1', 5, { status, intent: { case: named } })
const good = patch('invalid-bodies', 'control', '1', 5)
const valuesNamed = [
  ...['a string', 'a fraction', 'true', 'null', 'an array', 'an object'].map((value) => `quantity is ${value}`),
  ...['the body is an array', 'the body is no JSON'],
]
for (const [check, step, named] of [
  [invalidValues, 'invalid', valuesNamed],
  [lackingQuantity, 'lacking', ['an empty object', 'no body at all']],
] as const) {
  const each = named.map((name) => bad(step, 400, name))
  verdictTable(check, [
    ['each is answered 400', [good, ...each], { verdict: 'pass', facts: { told: each.length, kinds: [...named] } }],
    [
      'one that the clause names was not sent',
      [good, ...each.slice(1)],
      { verdict: 'inconclusive', code: 'not-told', facts: { missing: [named[0]] } },
    ],
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
      [good, ...each, bad(step === 'invalid' ? 'lacking' : 'invalid', 200)],
      { verdict: 'pass' },
    ],
    ['none was sent', [], { verdict: 'inconclusive' }],
  ])
}

const absent = (status: number, petId = '77') => patch('unknown-pet', 'unknown', petId, 5, { status })
const present = patch('unknown-pet', 'control', '1', 5)
verdictTable(unknownPetCheck, [
  [
    'it is answered 404, however large its id',
    [present, absent(404), absent(404, '2147483648'), absent(404, '9007199254740993')],
    { verdict: 'pass', facts: { told: 3 } },
  ],
  [
    'no large id was tried',
    [present, absent(404), absent(404, '2147483648')],
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['an id above 2^53'] } },
  ],
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
const unknown = 'unknown-pet'
/** 9 is written to no entry, then 8; what pet 2 shows after each. */
const refusedInTurn = (first: number, then: number) => [
  read(unknown, 'before', { 1: 5, 2: 2 }),
  patch(unknown, 'unknown', '77', 9, refusal(404)),
  read(unknown, 'after', { 1: 5, 2: first }),
  patch(unknown, 'unknown', '78', 8, refusal(404)),
  read(unknown, 'after', { 1: 5, 2: then }),
]
/** Each pet is read, refused, and read again with another status. */
const restatused = (petIds: readonly string[]): ExchangePart[] =>
  petIds.flatMap((petId) => {
    const shown = read('model-walk', 'end', { [petId]: 5 })
    const refused = patch('model-walk', 'invalid', petId, 9, refusal(400))
    return [shown, refused, { ...shown, body: listing({ [petId]: 5 }).replace('sold', 'pending') }]
  })
verdictTable(refusalsChangeNothing, [
  ...(
    [
      [
        'two pets get another status',
        restatused(['2', '3']),
        { verdict: 'fail', facts: { status: 400, after: 'pending' } },
      ],
      ['one does, once', restatused(['2']), { verdict: 'inconclusive', code: 'status-changed-once' }],
      [
        'so do two, and one with no PATCH between: the target may do that in its own time',
        [...restatused(['2', '3']), read('model-walk', 'end', { 3: 5 })],
        { verdict: 'pass' },
      ],
    ] as const
  ).map(([title, rest, expected]): [string, ExchangePart[], object] => [
    title,
    [...between('invalid-bodies', 400, { 1: 5 }), ...between('unknown-pet', 404, { 1: 5 }), ...rest],
    expected,
  ]),
  [
    'the pet leaves the list, which no PATCH asked for',
    [...between('invalid-bodies', 400, { 2: 5 }), ...between('unknown-pet', 404, { 1: 5 })],
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['a PATCH answered 400'] } },
  ],
  [
    'a pet that is not there is made',
    [
      read(unknown, 'before', { 1: 5 }),
      patch(unknown, 'unknown', '77', 9, refusal(404)),
      read(unknown, 'after', { 1: 5, 77: 9 }),
    ],
    { verdict: 'fail', code: 'refused-but-changed', facts: { before: 'absent', after: '9' } },
  ],
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
  ...(
    [
      ['a quantity beyond the bounds is written', '-1', { verdict: 'fail', facts: { status: 400, after: '-1' } }],
      ['somebody else writes at that moment', '7', { verdict: 'pass' }],
    ] as const
  ).map(([title, shown, expected]): [string, ExchangePart[], object] => [
    title,
    [
      ...between('invalid-bodies', 400, { 1: 5 }),
      ...between('unknown-pet', 404, { 1: 5 }),
      read('quantity-bounds', 'before', { 1: 5 }),
      patch('quantity-bounds', 'patch', '1', '-1', refusal(400)),
      read('quantity-bounds', 'read-back', { 1: shown }),
    ],
    expected,
  ]),
  ...(
    [
      [
        'what a request with an unknown field asks for is written',
        400,
        '4',
        { verdict: 'fail', facts: { after: '4' } },
      ],
      ['it is, and was accepted', 200, '4', { verdict: 'pass' }],
      ['somebody else writes beside it', 400, '7', { verdict: 'pass' }],
    ] as const
  ).map(([title, status, shown, expected]): [string, ExchangePart[], object] => [
    title,
    [
      ...between('invalid-bodies', 400, { 1: 5 }),
      ...between('unknown-pet', 404, { 1: 5 }),
      read('loose-requests', 'before', { 1: 5 }),
      patch('loose-requests', 'loose', '1', '4', status === 400 ? refusal(400) : {}),
      patch('loose-requests', 'loose', '1', '3', refusal(400)),
      read('loose-requests', 'after', { 1: shown }),
    ],
    expected,
  ]),
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
  [
    'another pet takes each quantity that was refused',
    [...between('invalid-bodies', 400, { 1: 5 }), ...refusedInTurn(9, 8)],
    { verdict: 'fail', code: 'refused-but-changed', facts: { petId: '2', before: '2', after: '9', status: 404 } },
  ],
  [
    'another pet takes one of them, which may be somebody else',
    [...between('invalid-bodies', 400, { 1: 5 }), ...refusedInTurn(9, 3)],
    { verdict: 'pass' },
  ],
  [
    'another pet takes each, but one of the PATCHes was let through',
    [
      ...between('invalid-bodies', 400, { 1: 5 }),
      ...refusedInTurn(9, 8).toSpliced(3, 1, patch(unknown, 'unknown', '78', 8)),
    ],
    { verdict: 'pass' },
  ],
  [
    'the control, answered with another quantity, explains it, and so nothing is told of a 404',
    [...between('invalid-bodies', 400, { 1: 5 }), ...between('unknown-pet', 404, { 1: 10 })].map((part) =>
      part.probe === 'unknown-pet' && part.step === 'control' ? { ...part, body: entry('1', 10) } : part,
    ),
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['a PATCH answered 404'] } },
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
  read('burst', 'opener', { 1: 5 }),
  patch('burst', 'write-refused', '1', 4, part),
  read('burst', 'after', after),
]
verdictTable(refusedWrite, [
  ['it changes nothing', late(refusal(429)), { verdict: 'pass' }],
  [
    'it changes nothing, and another key opens a window meanwhile',
    late(refusal(429)).toSpliced(2, 0, { ...read('burst', 'opener', { 1: 5 }), key: 'pro' }),
    { verdict: 'pass' },
  ],
  ['it changes nothing under a ban', late(refusal(403)), { verdict: 'pass' }],
  [
    'it changes nothing but the status, of two pets',
    ['1', '2'].flatMap((petId) => {
      const [before, refused, after] = late(refusal(429))
      const intent = { ...refused.intent, petId }
      const shown = listing({ [petId]: 5 })
      return [
        { ...before, body: shown },
        { ...refused, intent },
        { ...after, body: shown.replace('sold', 'pending') },
      ]
    }),
    { verdict: 'fail', code: 'refused-but-changed', facts: { before: 'sold', after: 'pending' } },
  ],
  [
    'it takes effect',
    late(refusal(429), { 1: 4 }),
    { verdict: 'fail', code: 'refused-but-changed', facts: { status: 429, before: '5', after: '4' } },
  ],
  [
    'another PATCH of the pet was admitted by then',
    late(refusal(429), { 1: 4 }).toSpliced(2, 0, patch('burst', 'spelling', '1', 4)),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'another PATCH of the pet was refused too',
    late(refusal(429), { 1: 4 }).toSpliced(2, 0, patch('burst', 'spelling', '1', 4, refusal(429))),
    { verdict: 'fail', code: 'refused-but-changed' },
  ],
  [
    'what it would have written was there already',
    [read('burst', 'opener', { 1: 4 }), ...late(refusal(429), { 1: 4 }).slice(1)],
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'the run only reads',
    madeEvidence([read('burst', 'opener', { 1: 5 })], { run: { readOnly: true } }),
    { verdict: 'not-tested', code: 'probe-skipped' },
  ],
  [
    'there is no pet',
    [read('burst', 'opener', {}), read('burst', 'after', {})],
    { verdict: 'not-tested', code: 'inventory-empty' },
  ],
  [
    'it was admitted, for the window had renewed: that tells nothing',
    late({}, { 1: 4 }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'it was admitted once, and refused when it was tried again',
    [...late({}, { 1: 4 }), ...late(refusal(429))],
    { verdict: 'pass', facts: { told: 1 } },
  ],
  ['it was not answered', late({ status: null }), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'the list after it can not be read',
    [...late(refusal(429)).slice(0, 2), { probe: 'burst', step: 'after', body: 'x' }],
    { verdict: 'inconclusive', code: 'not-told', facts: { leftOut: 1 } },
  ],
  ['none was sent', [read('burst', 'opener', { 1: 5 })], { verdict: 'inconclusive', code: 'not-told' }],
  [
    'there is no pet to try it on',
    [read('burst', 'opener', {}), read('burst', 'after', {})],
    { verdict: 'not-tested', code: 'inventory-empty' },
  ],
  [
    'the run may not write',
    madeEvidence([read('burst', 'opener', { 1: 5 })], { run: { readOnly: true } }),
    { verdict: 'not-tested', code: 'probe-skipped' },
  ],
])
