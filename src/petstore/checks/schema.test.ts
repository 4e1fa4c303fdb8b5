import { verdictTable } from '../../checks/testing/verdict-table.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { furtherFields, largeIds, petIdField, quantityField, statusField } from './schema.js'
import { besideLoads, listing, lists, loadAt, patch, whole } from './testing/stock.js'

const entry = (part: Readonly<Record<string, string>> = {}, without?: string) => {
  const fields = Object.entries({ petId: '1', quantity: '5', status: '"sold"', ...part }).filter(
    ([name]) => name !== without,
  )
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`
}
const listed = (...entries: readonly string[]) => ({ body: `[${entries.join(',')}]` })
const updated = (body: string, petId = '1') =>
  ({ probe: 'read-write-read', operation: 'updateInventory', body, intent: { petId } }) as const
const good = updated(entry())

const shared = (field: string) =>
  [
    ['every entry has it', [listed(entry(), entry()), updated(entry())], { verdict: 'pass', facts: { told: 3 } }],
    [
      'only a list was shown, and nothing updates',
      [listed(entry())],
      { verdict: 'not-tested', code: 'not-asked', facts: { missing: ['an update'] } },
    ],
    [
      'no update was accepted',
      [listed(entry()), { ...updated('{}'), status: 400 }],
      { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['an update'] } },
    ],
    [
      'the answers of updates can not be read',
      [listed(entry()), updated('<html>')],
      { verdict: 'inconclusive', facts: { missing: ['an update'], leftOut: 1 } },
    ],
    [
      'no list can be read',
      [{ body: '<html>' }, updated(entry())],
      { verdict: 'inconclusive', facts: { missing: ['a list'], leftOut: 1 } },
    ],
    [
      'an entry lacks it',
      [listed(entry(), entry({}, field))],
      { verdict: 'fail', code: 'field-missing', facts: { field, others: 0 } },
    ],
    ['an updated entry lacks it', [listed(entry()), updated(entry({}, field))], { verdict: 'fail', witnesses: ['x2'] }],
    [
      'it is null',
      [listed(entry({ [field]: 'null' }))],
      { verdict: 'fail', code: 'field-invalid', facts: { value: 'null' } },
    ],
    ['an entry is no object', [listed('5')], { verdict: 'fail', code: 'entry-is-no-object', facts: { value: '5' } }],
    [
      'several entries are wrong in one list',
      [listed(entry({}, field), entry({}, field))],
      { verdict: 'fail', facts: { others: 1 }, witnesses: ['x1'] },
    ],
    ['the list is empty', [listed()], { verdict: 'not-tested', code: 'inventory-empty' }],
    ['nothing was shown', [{ status: 401 }], { verdict: 'inconclusive', code: 'not-told' }],
    [
      'a refused update shows something else',
      [listed(entry()), good, { ...updated('{}'), status: 400 }],
      { verdict: 'pass' },
    ],
  ] as const

verdictTable(petIdField, [
  ...shared('petId'),
  ['it is the largest int64', [listed(entry({ petId: '9223372036854775807' })), good], { verdict: 'pass' }],
  [
    'it is beyond int64',
    [listed(entry({ petId: '9223372036854775808' }))],
    { verdict: 'fail', code: 'field-invalid', facts: { value: '9223372036854775808' } },
  ],
  ['it is a string', [listed(entry({ petId: '"1"' }))], { verdict: 'fail', facts: { value: '"1"' } }],
])

verdictTable(quantityField, [
  ...shared('quantity'),
  ['it is written as 5.0', [listed(entry({ quantity: '5.0' })), good], { verdict: 'pass' }],
  [
    'it is negative, or beyond int64',
    [listed(entry({ quantity: '-1' }), entry({ quantity: '9223372036854775808' })), good],
    { verdict: 'pass' },
  ],
  ['it is a fraction', [listed(entry({ quantity: '5.5' }))], { verdict: 'fail', facts: { value: '5.5' } }],
  ['it is a string', [listed(entry({ quantity: '"5"' }))], { verdict: 'fail' }],
])

verdictTable(statusField, [
  ...shared('status'),
  [
    'it is each of the three',
    [listed(entry(), entry({ status: '"pending"' }), entry({ status: '"available"' })), good],
    { verdict: 'pass' },
  ],
  ['it is none of them', [listed(entry({ status: '"gone"' }))], { verdict: 'fail', code: 'field-invalid' }],
  ['its letters are in another case', [listed(entry({ status: '"SOLD"' }))], { verdict: 'fail' }],
])

verdictTable(furtherFields, [
  [
    'there are some',
    [listed(entry({ colour: '1', age: '2' })), updated(entry({ age: '3' }))],
    { verdict: 'observed', facts: { fields: ['age', 'colour'] } },
  ],
  ['there are none', [listed(entry())], { verdict: 'observed', facts: { fields: [] } }],
  ['nothing was shown', [{ status: 401 }], { verdict: 'not-tested' }],
])

const [large, neighbour, other] = ['9007199254740993', '9007199254740992', '9007199254740999']
const ids = (...petIds: readonly string[]) => listed(...petIds.map((petId) => entry({ petId })))

verdictTable(largeIds, [
  ['neighbours are told apart', [ids(large, neighbour)], { verdict: 'pass' }],
  [
    'two entries show one large id',
    [ids('9007199254740994', '9007199254740994')],
    { verdict: 'fail', code: 'large-id-twice', facts: { petId: '9007199254740994' } },
  ],
  ['two entries show one small id, which proves no lost digits', [ids('7', '7', large)], { verdict: 'pass' }],
  [
    'an update shows what a double makes of the id',
    [ids(large), updated(entry({ petId: neighbour }), large)],
    { verdict: 'fail', code: 'large-id-changed', facts: { asked: large, shown: neighbour } },
  ],
  ['an update shows the id that was asked', [ids(large), updated(entry({ petId: large }), large)], { verdict: 'pass' }],
  [
    'an update shows another pet altogether',
    [ids(large), updated(entry({ petId: other }), large)],
    { verdict: 'pass' },
  ],
  ['an update of a pet that is no number is answered', [ids(large), updated(entry(), 'abc')], { verdict: 'pass' }],
  ['large ids are negative', [ids(`-${large}`, `-${large}`)], { verdict: 'fail', code: 'large-id-twice' }],
  [
    'two entries show what a double makes of 2^53 + 1',
    [ids(neighbour, neighbour)],
    { verdict: 'fail', code: 'large-id-twice', facts: { petId: neighbour } },
  ],
  [
    'two entries show what a double makes of -2^53 - 1',
    [ids(`-${neighbour}`, `-${neighbour}`)],
    { verdict: 'fail', code: 'large-id-twice' },
  ],
  [
    'two entries show 2^53 - 1, which a double holds',
    [ids('9007199254740991', '9007199254740991', large)],
    { verdict: 'pass' },
  ],
  [
    'a double holds every id',
    [ids('1', neighbour, '9223372036854774784')],
    { verdict: 'not-tested', code: 'no-id-to-round' },
  ],
  ['no list can be read', [{ body: 'x' }], { verdict: 'inconclusive', facts: { leftOut: 1 } }],
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
