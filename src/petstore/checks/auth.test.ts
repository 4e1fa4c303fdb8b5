import { expect } from 'vitest'
import { verdictTable } from '../../checks/testing/verdict-table.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import {
  beforeAnythingElse,
  challenge,
  deniedChangesNothing,
  keyCase,
  keyElsewhereCheck,
  noKeyCheck,
  openFormsCheck,
  otherForms,
  schemeCaseCheck,
  unknownKeyCheck,
  validKey,
} from './auth.js'

const planned = (...names: readonly string[]) => names.map((probe) => ({ probe, settings: {} }))

const of = (probe: string, step: string, part: ExchangePart = {}): ExchangePart => ({ probe, step, ...part })

const without = (status: number | null, part: ExchangePart = {}) =>
  of('no-key', 'without', { credential: 'none', status, ...part })
const operations = ['listInventory', 'updateInventory', 'getPet', 'listOrders'] as const
const [, ...others] = operations
const readOnly = { run: { readOnly: true, probes: planned('no-key') } }
verdictTable(noKeyCheck, [
  [
    'each operation answers 401',
    operations.map((operation) => without(401, { operation })),
    { verdict: 'pass', facts: { told: 4, kinds: expect.arrayContaining(['PATCH /inventory/{petId}']) } },
  ],
  [
    'one of them was not asked',
    others.map((operation) => without(401, { operation })),
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['GET /inventory'] } },
  ],
  [
    'the run only reads',
    madeEvidence(
      operations.filter((each) => each !== 'updateInventory').map((operation) => without(401, { operation })),
      readOnly,
    ),
    { verdict: 'not-tested', code: 'not-asked', facts: { told: 3, missing: ['PATCH /inventory/{petId}'] } },
  ],
  [
    'one of them answers 200',
    [without(401), without(200)],
    { verdict: 'fail', code: 'unexpected-status', facts: { expected: '401', got: 200 } },
  ],
  ['one of them answers 403', [without(403)], { verdict: 'fail' }],
  ['strangers are limited', [without(401), without(429)], { verdict: 'inconclusive', code: 'no-answer' }],
  [
    'a limit on strangers was waited out',
    [
      without(429, { id: 'a' }),
      without(401, { asksAgain: 'a' }),
      ...others.map((operation) => without(401, { operation })),
    ],
    { verdict: 'pass' },
  ],
  ['one was not answered', [without(401), without(null)], { verdict: 'inconclusive', code: 'no-answer' }],
  [
    'none was asked',
    madeEvidence([], { run: { probes: planned('no-key') } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
])

const unknown = (status: number, operation: ExchangePart['operation'] = 'listInventory') =>
  of('bad-keys', 'unknown-key', { credential: 'unknown-key', status, operation })
const allUnknown = operations.map((operation) => unknown(401, operation))
verdictTable(unknownKeyCheck, [
  ['it is refused by each operation', allUnknown, { verdict: 'pass', facts: { told: 4 } }],
  ['one operation was asked only', [unknown(401)], { verdict: 'inconclusive', code: 'not-told' }],
  ['it is let in', [unknown(401), unknown(200)], { verdict: 'fail', witnesses: ['x2'] }],
  ['another bad key is let in', [...allUnknown, of('bad-keys', 'basic', { credential: 'basic' })], { verdict: 'pass' }],
  ['none was asked', [], { verdict: 'not-tested' }],
])

const control = (probe: string, status = 200) => of(probe, 'control', { status })
const bad = (form: string, status: number | null) => of('bad-keys', form, { credential: form, status })
const forms = ['empty-bearer', 'basic', 'basic-scheme-with-key', 'bare-key', 'key-cut-by-one', 'key-extended']
verdictTable(otherForms, [
  [
    'each of them is refused',
    [control('bad-keys'), ...forms.map((form) => bad(form, 401))],
    { verdict: 'pass', facts: { told: 6 } },
  ],
  ...forms.map(
    (form) =>
      [
        `${form} is let in`,
        [control('bad-keys'), bad(form, 200)],
        { verdict: 'fail', code: 'bad-form-not-refused', facts: { form, got: 200 } },
      ] as const,
  ),
  ['key-and-comma is let in', [control('bad-keys'), bad('key-and-comma', 200)], { verdict: 'fail' }],
  ['one is answered 400', [control('bad-keys'), bad('basic', 400)], { verdict: 'fail' }],
  [
    'the key itself is refused',
    [control('bad-keys', 401), bad('basic', 401)],
    { verdict: 'inconclusive', code: 'control-failed' },
  ],
  ['strangers are limited', [control('bad-keys'), bad('basic', 429)], { verdict: 'inconclusive', code: 'no-answer' }],
  [
    'an unknown key is let in, which is another clause’s',
    [control('bad-keys'), ...forms.map((form) => bad(form, 401)), unknown(200)],
    { verdict: 'pass' },
  ],
])

const denied = (what: string, status: number | null, credential = 'none') =>
  of('key-before-body', 'denied', { operation: 'updateInventory', credential, status, intent: { case: what } })
const ordinary = (status = 401, credential = 'none') => denied('a valid body, a known pet', status, credential)
const inOrder = (credential: string) => [
  ordinary(401, credential),
  denied('a body that is no JSON, a known pet', 401, credential),
  denied('a valid body, an unknown pet', 401, credential),
]
verdictTable(beforeAnythingElse, [
  [
    'whatever else is wrong, it is 401',
    [...inOrder('none'), ...inOrder('basic')],
    { verdict: 'pass', facts: { told: 4 } },
  ],
  [
    'nothing else is wrong',
    [ordinary(), ordinary(401, 'basic')],
    { verdict: 'inconclusive', code: 'not-told', facts: { told: 0, needed: 4 } },
  ],
  [
    'a broken body gets 400',
    [ordinary(), denied('a body that is no JSON, a known pet', 400)],
    { verdict: 'fail', facts: { got: 400, case: 'a body that is no JSON, a known pet' } },
  ],
  ['an unknown pet gets 404', [ordinary(), denied('a valid body, an unknown pet', 404)], { verdict: 'fail' }],
  [
    'the form is accepted with nothing else wrong, another clause’s breach',
    [ordinary(200), denied('a body without quantity, no id', 400), ...inOrder('basic')],
    { verdict: 'inconclusive', code: 'not-told', facts: { told: 2 } },
  ],
  [
    'GETs alone accept the form, another clause’s breach',
    [
      ...[...inOrder('none'), ...inOrder('basic')],
      { ...ordinary(200, 'basic'), operation: 'getPet' },
      { ...denied('a valid body, an unknown pet', 404, 'basic'), operation: 'getPet' },
    ],
    { verdict: 'pass', facts: { told: 4 } },
  ],
  ['no form is refused', [ordinary(200)], { verdict: 'inconclusive', code: 'not-told' }],
  ['one was not answered', [ordinary(), denied('x', null)], { verdict: 'inconclusive' }],
])

const challenged = (...values: readonly string[]): ExchangePart => ({
  status: 401,
  headers: values.map((value) => ['www-authenticate', value] as const),
})
verdictTable(challenge, [
  ['it stands alone', [challenged('Bearer')], { verdict: 'pass' }],
  ['it has parameters, in another case', [challenged('bearer realm="pets"')], { verdict: 'pass' }],
  ['it stands beside another', [challenged('Basic realm="a", Bearer realm="b"')], { verdict: 'pass' }],
  ['it stands in a second header', [challenged('Basic', 'Bearer')], { verdict: 'pass' }],
  [
    'it is another scheme',
    [challenged('Basic realm="bearer"')],
    { verdict: 'fail', code: 'no-bearer-challenge', facts: { challenge: 'Basic realm="bearer"' } },
  ],
  ['it is a scheme that only begins alike', [challenged('Bearertoken')], { verdict: 'fail' }],
  [
    'it is missing on one of two',
    [challenged('Bearer'), challenged()],
    { verdict: 'fail', facts: { challenge: 'none' }, witnesses: ['x2'] },
  ],
  ['nothing asks for a 401', [{}], { verdict: 'not-tested', code: 'not-asked' }],
  ['nothing was answered 401', [without(200)], { verdict: 'inconclusive', code: 'not-told' }],
])

const list = (quantity: number): ExchangePart => ({ body: [{ petId: 1, quantity, status: 'sold' }] })
const patch = (probe: string, status: number, petId = '1') => {
  const credential = probe === 'no-key' ? 'none' : 'unknown-key'
  return of(probe, 'without', { operation: 'updateInventory', credential, status, intent: { petId } })
}
const through = (probe: string, after: number, status = 401) => [
  of(probe, 'before', list(5)),
  patch(probe, status),
  of(probe, 'after', list(after)),
]
const twoPets = (one: number, other: number): ExchangePart => ({
  body: [
    { petId: 1, quantity: one, status: 'sold' },
    { petId: 8, quantity: other, status: 'sold' },
  ],
})
const besideAnother = (probe: string) => [
  of(probe, 'before', twoPets(5, 7)),
  patch(probe, 401),
  of(probe, 'after', twoPets(4, 6)),
]
verdictTable(deniedChangesNothing, [
  ['nothing moves', [...through('no-key', 5), ...through('bad-keys', 5)], { verdict: 'pass', facts: { told: 2 } }],
  ['only a missing key was tried', through('no-key', 5), { verdict: 'not-tested', code: 'not-asked' }],
  [
    'the pet moves',
    [...through('no-key', 5), ...through('bad-keys', 4)],
    { verdict: 'fail', code: 'refused-but-changed', facts: { before: '5', after: '4', status: 401 } },
  ],
  [
    'a pet that nobody named moves too, once: the list may have shown earlier writes late',
    [...besideAnother('no-key'), ...through('bad-keys', 5)],
    { verdict: 'inconclusive', code: 'somebody-else-writes', facts: { petId: '8' } },
  ],
  [
    'a pet that nobody named moves too, each time',
    [...besideAnother('no-key'), ...besideAnother('bad-keys')],
    { verdict: 'fail', code: 'refused-but-changed' },
  ],
  [
    'a PATCH was let in, which explains the change',
    through('no-key', 4, 200),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'the list can not be read',
    [of('no-key', 'before', { body: '{}' }), patch('no-key', 401), of('no-key', 'after', list(5))],
    { verdict: 'inconclusive', code: 'list-unreadable' },
  ],
  ['nothing was asked', [], { verdict: 'not-tested' }],
  [
    'there is no pet',
    [of('no-key', 'before', { body: [] }), patch('no-key', 401), of('no-key', 'after', { body: [] })],
    { verdict: 'not-tested', code: 'inventory-empty' },
  ],
])

const elsewhere = (status: number, credential = 'query-api-key') =>
  of('key-elsewhere', 'elsewhere', { credential, status })
verdictTable(keyElsewhereCheck, [
  ['it leads elsewhere', [control('key-elsewhere'), elsewhere(300), elsewhere(301, 'cookie')], { verdict: 'pass' }],
  [
    'a limit or a breakdown came before the key',
    [control('key-elsewhere'), elsewhere(401), elsewhere(429, 'cookie'), elsewhere(500, 'cookie')],
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['a cookie'], leftOut: 2 } },
  ],
  ['it is refused there', [control('key-elsewhere'), elsewhere(401), elsewhere(400, 'cookie')], { verdict: 'pass' }],
  [
    'it is accepted there',
    [control('key-elsewhere'), elsewhere(401), elsewhere(200, 'cookie')],
    { verdict: 'fail', code: 'key-accepted-elsewhere', facts: { where: 'cookie' } },
  ],
  [
    'it is accepted nowhere',
    [control('key-elsewhere', 403), elsewhere(200)],
    { verdict: 'inconclusive', code: 'control-failed' },
  ],
])

const cased = (credential: string, status: number) => of('scheme-case', 'other-case', { credential, status })
verdictTable(schemeCaseCheck, [
  [
    'both are accepted',
    [control('scheme-case'), cased('lower-case-scheme', 200), cased('upper-case-scheme', 200)],
    { verdict: 'pass' },
  ],
  [
    'one is not',
    [control('scheme-case'), cased('lower-case-scheme', 401)],
    { verdict: 'fail', facts: { expected: '200', got: 401 } },
  ],
  [
    'the ordinary one is not',
    [control('scheme-case', 401), cased('lower-case-scheme', 401)],
    { verdict: 'inconclusive' },
  ],
])

const hello = (status: number, key = 'free') => of('hello', 'list', { status, key })
verdictTable(validKey, [
  [
    'it opens everything',
    [hello(200), of('burst', 'gentle', { operation: 'getPet', status: 404 })],
    { verdict: 'pass', facts: { told: 2 } },
  ],
  [
    'it opens one operation and not another',
    [hello(200), of('other-operations', 'with-key', { operation: 'getPet', status: 401 })],
    { verdict: 'fail', facts: { got: 401 } },
  ],
  ['it is refused everywhere: it may be a wrong one', [hello(401)], { verdict: 'inconclusive' }],
  [
    'another key is refused everywhere',
    [hello(200), hello(401, 'pro')],
    { verdict: 'inconclusive', code: 'key-not-accepted', facts: { key: 'pro', got: 401 } },
  ],
  [
    'another key is banned throughout',
    [hello(200), hello(403, 'pro'), of('burst', 'gentle', { status: 403, key: 'pro' })],
    { verdict: 'inconclusive', code: 'key-not-accepted', facts: { key: 'pro', got: 403 } },
  ],
  [
    'another key had to wait at first',
    [hello(200), hello(429, 'pro'), of('burst', 'gentle', { status: 200, key: 'pro' })],
    { verdict: 'pass' },
  ],
  ['a ban stands in the way', [hello(200), hello(403)], { verdict: 'pass', facts: { told: 1, leftOut: 1 } }],
  [
    'a load with it gets 401 now and then',
    madeEvidence([hello(200)], {
      ledgers: [madeLedger([{ sentMs: 1 }, { sentMs: 2, status: 401 }, { sentMs: 3, status: 429 }])],
    }),
    { verdict: 'fail', code: 'rejected-in-load', facts: { key: 'free', times: 1, of: 3 }, witnesses: ['burst-free#1'] },
  ],
  [
    'only another form of it is refused',
    [hello(200), of('scheme-case', 'other-case', { credential: 'lower-case-scheme', status: 401 })],
    { verdict: 'pass' },
  ],
])

const inOtherCase = (status: number | null) =>
  of('key-elsewhere', 'other-case', { credential: 'key-in-other-case', status })
verdictTable(keyCase, [
  ['it is refused', [of('key-elsewhere', 'control'), inOtherCase(401)], { verdict: 'pass' }],
  [
    'it is accepted',
    [of('key-elsewhere', 'control'), inOtherCase(200)],
    { verdict: 'fail', code: 'unexpected-status', facts: { expected: '401', got: 200 } },
  ],
  ['it was limited', [of('key-elsewhere', 'control'), inOtherCase(429)], { verdict: 'inconclusive' }],
  [
    'the key itself is refused',
    [of('key-elsewhere', 'control', { status: 401 }), inOtherCase(401)],
    { verdict: 'inconclusive', code: 'control-failed' },
  ],
  ['the key has no such letters', [of('key-elsewhere', 'control')], { verdict: 'not-tested' }],
])

verdictTable(openFormsCheck, [
  [
    'some are accepted',
    [
      of('key-elsewhere', 'open', { credential: 'two-headers', status: 200, intent: { case: 'two-headers' } }),
      of('key-elsewhere', 'open', { status: null, intent: { case: 'tab' } }),
    ],
    { verdict: 'observed', facts: { seen: ['two-headers: 200', 'tab: no answer'] } },
  ],
  ['none was asked', [], { verdict: 'inconclusive' }],
])
