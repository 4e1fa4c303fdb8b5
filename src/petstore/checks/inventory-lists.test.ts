import { verdictTable } from '../../checks/testing/verdict-table.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { idsListedOnce, list } from './inventory-lists.js'
import {
  besideLoads,
  entry,
  listing,
  lists,
  loadAt,
  loadWith,
  patch,
  read,
  type Stock,
  whole,
  without1,
  without2,
} from './testing/stock.js'

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

const byKey = (key: string, ...stocks: readonly Stock[]) => stocks.map((stock) => read('hello', 'list', stock, { key }))
verdictTable(list, [
  [
    'the first one of each key is empty',
    [...byKey('free', {}, whole), ...byKey('pro', {}, whole)],
    { verdict: 'fail', code: 'empty-at-first', witnesses: ['x1', 'x2', 'x3', 'x4'] },
  ],
  [
    'both are empty until somebody may have filled the inventory',
    [...byKey('free', {}), ...byKey('pro', {}), ...byKey('free', whole), ...byKey('pro', whole)],
    { verdict: 'inconclusive', code: 'empty-at-first' },
  ],
  ['the first one of one key is empty', [...byKey('free', {}, whole), ...byKey('pro', whole)], { verdict: 'pass' }],
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
