import { verdictTable } from '../../checks/testing/verdict-table.js'
import type { LedgerSample } from '../../evidence/ledger.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import { codeForMachines, errorBodyCheck, noServerError, refusalBody, statusAgrees } from './errors.js'
import { unknownPathCheck } from './interface.js'

const error = (part: object = {}) => ({ code: 'not-found', message: 'no such pet', status: 404, ...part })
const missing = (body: unknown, part: ExchangePart = {}): ExchangePart => ({ status: 404, body, ...part })
const { code: _code, ...withoutCode } = error()
const bad = (probe: string, status: number, body: unknown = error({ status })): ExchangePart => ({
  probe,
  status,
  body,
})
const invalid = bad('invalid-bodies', 400)
const denied = bad('no-key', 401)
const unknownPet = bad('unknown-pet', 404)

verdictTable(errorBodyCheck, [
  [
    'code, message and status are there, on each of the three',
    [invalid, denied, missing(error({ more: [] }))],
    { verdict: 'pass', facts: { told: 3, kinds: ['400', '401', '404'] } },
  ],
  [
    'only some of the three were asked for',
    [denied, denied],
    { verdict: 'not-tested', code: 'not-asked', facts: { told: 2, missing: ['400', '404'] } },
  ],
  [
    'one was asked for, and came as something else',
    [invalid, denied, bad('unknown-pet', 410)],
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['404'] } },
  ],
  [
    'code is missing',
    [missing(error()), missing(withoutCode)],
    { verdict: 'fail', code: 'error-field-wrong', facts: { field: 'code', problem: 'is missing' }, witnesses: ['x2'] },
  ],
  [
    'code is a number',
    [missing(error({ code: 404 }))],
    { verdict: 'fail', facts: { field: 'code', problem: 'is not a string' } },
  ],
  ['message is null', [missing(error({ message: null }))], { verdict: 'fail', facts: { field: 'message' } }],
  [
    'status is a string',
    [missing(error({ status: '404' }))],
    { verdict: 'fail', facts: { field: 'status', problem: 'is not an integer' } },
  ],
  [
    'status is written as 404.0',
    [invalid, denied, missing('{"code":"c","message":"m","status":404.0}')],
    { verdict: 'pass' },
  ],
  ['the body is a list', [missing([])], { verdict: 'fail', code: 'no-error-body' }],
  ['the body is empty', [missing('')], { verdict: 'fail', code: 'no-error-body' }],
  ['the body does not parse', [missing('<html>')], { verdict: 'fail', code: 'no-error-body' }],
  [
    'the body is text',
    [missing('not found', { headers: [['content-type', 'text/plain']] })],
    { verdict: 'fail', code: 'no-error-body' },
  ],
  [
    'only a 403, a 429 and an unknown path have another body',
    [invalid, denied, unknownPet, { status: 403 }, { status: 429 }, missing('', { operation: null })],
    { verdict: 'pass', facts: { told: 3 } },
  ],
  [
    'the body was cut off by the harness',
    [invalid, denied, { ...unknownPet, body: '', truncated: true }],
    { verdict: 'inconclusive', facts: { missing: ['404'], leftOut: 1 } },
  ],
  ['there was no error', [{}], { verdict: 'not-tested', code: 'not-asked' }],
])

verdictTable(statusAgrees, [
  ['it does', [invalid, denied, unknownPet], { verdict: 'pass', facts: { told: 3 } }],
  [
    'it is another',
    [missing(error({ status: 400 }))],
    { verdict: 'fail', code: 'status-disagrees', facts: { http: 404, body: '400' } },
  ],
  [
    'it is another in an Error body of no operation',
    [invalid, denied, unknownPet, missing(error({ status: 400 }), { operation: null, method: 'DELETE' })],
    { verdict: 'fail', code: 'status-disagrees', facts: { body: '400' }, witnesses: ['x4'] },
  ],
  [
    'no operation answered, with the status, or with a body that is no Error',
    [invalid, denied, unknownPet, ...[error(), { status: 400 }, ''].map((body) => missing(body, { operation: null }))],
    { verdict: 'pass', facts: { told: 3, leftOut: 0 } },
  ],
  [
    'it can not be read, which is another clause’s',
    [invalid, denied, unknownPet, missing(error({ status: 'x' }))],
    { verdict: 'pass', facts: { told: 3, leftOut: 1 } },
  ],
  [
    'there is none to read',
    [invalid, denied, { ...unknownPet, body: '' }],
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['404'], leftOut: 1 } },
  ],
])

const coded = (code: unknown, step: string, part: ExchangePart = {}) =>
  missing(error({ code }), { probe: 'unknown-pet', step, ...part })
verdictTable(codeForMachines, [
  [
    'it is the same for the same condition',
    [coded('a', 'unknown'), coded('a', 'unknown'), coded('b', 'other')],
    { verdict: 'pass' },
  ],
  ['it is empty', [coded(' ', 'unknown')], { verdict: 'fail', code: 'code-empty' }],
  [
    'it differs for the same condition',
    [coded('a', 'unknown'), coded('b', 'unknown')],
    { verdict: 'fail', code: 'code-differs', facts: { codes: ['a', 'b'] }, witnesses: ['x1', 'x2'] },
  ],
  [
    'it differs between operations',
    [coded('a', 'x'), coded('a', 'x'), coded('b', 'x', { operation: 'getPet' })],
    { verdict: 'pass' },
  ],
  [
    'no condition came twice',
    [coded('a', 'x'), coded('b', 'y')],
    { verdict: 'inconclusive', code: 'not-told', facts: { missing: ['the same condition twice'] } },
  ],
  [
    'it differs between bodies that are wrong in different ways',
    [coded('a', 'unknown'), coded('a', 'unknown'), coded('a', 'invalid'), coded('b', 'invalid')],
    { verdict: 'pass' },
  ],
  [
    'it differs between bodies that a bad key brought in',
    [
      ...['{', '{}'].map((content) => coded(content, 'denied', { status: 400, sent: content })),
      ...['a', 'a'].map((each) => coded(each, 'unknown')),
    ],
    { verdict: 'pass' },
  ],
  [
    'it differs for the same body',
    ['a', 'b'].map((code) => coded(code, 'denied', { status: 400, sent: '{' })),
    { verdict: 'fail', code: 'code-differs' },
  ],
  ['there is none', [coded('', 'unknown', { body: '' })], { verdict: 'inconclusive', facts: { leftOut: 1 } }],
  ['no error was asked for', [{}], { verdict: 'not-tested' }],
])

const shows = (text: string): ExchangePart => ({ status: 400, body: text })
verdictTable(noServerError, [
  ['nothing breaks', [{}, { status: 404 }, { status: 400, body: error() }], { verdict: 'pass' }],
  ['an operation answers 500', [{}, { status: 500 }], { verdict: 'fail', code: 'server-error', facts: { got: 500 } }],
  ['an unknown path answers 500', [{ operation: null, status: 500 }], { verdict: 'fail' }],
  ['a method is not had', [{ status: 501 }, { status: 505 }], { verdict: 'pass' }],
  [
    'a gateway stood in',
    [{}, { status: 502 }, { status: 503 }, { status: 504 }],
    { verdict: 'inconclusive', code: 'no-answer' },
  ],
  [
    'an error can not be read',
    [{}, { status: 404, body: '', error: { phase: 'body', code: 'X', message: '' } }],
    { verdict: 'pass', facts: { told: 1, leftOut: 1 } },
  ],
  ...[
    'Error: x\n    at Object.handle (/srv/app/routes.js:10:5)',
    'at handle (node:internal/process:1:2)',
    'Traceback (most recent call last):',
    'goroutine 17 [running]:',
    'at com.pets.Api.get(Api.java:55)',
    'in /usr/src/app/main.py',
    'C:\\inetpub\\app\\Api.cs',
    'file:///srv/app/server.mjs:3',
  ].map(
    (text) =>
      [
        `an error shows ${JSON.stringify(text)}`,
        [shows(text)],
        { verdict: 'fail', code: 'inner-workings-shown' },
      ] as const,
  ),
  ...[
    'Check /inventory/1 (or /v1/pets/1)',
    'see https://example.org/docs/errors',
    'at least one field (quantity) is missing',
    'version 1.2.js',
  ].map((text) => [`an error only says ${text}`, [shows(text)], { verdict: 'pass' }] as const),
  ['a listing holds such a text', [{ body: 'at x (/srv/app/a.js:1:1)' }], { verdict: 'pass' }],
  ['nothing was answered', [{ status: null }], { verdict: 'inconclusive' }],
])

const refused = (body: unknown): ExchangePart => ({ status: 429, body })
const sampled = (content: string): LedgerSample => {
  const body = { encoding: 'utf8', content, bytes: content.length, truncated: false } as const
  return { row: 0, status: 429, reason: '', headers: [], body }
}
verdictTable(refusalBody, [
  [
    'it is an Error body',
    [refused(error({ status: 429 }))],
    { verdict: 'observed', facts: { form: 'an Error body', statusAgrees: true } },
  ],
  ['its status is another', [refused(error({ status: 400 }))], { verdict: 'observed', facts: { statusAgrees: false } }],
  [
    'it is another object',
    [refused({})],
    { verdict: 'observed', facts: { form: 'another JSON object', statusAgrees: null } },
  ],
  ['it is text', [refused('slow down')], { verdict: 'observed', facts: { form: 'another body' } }],
  ['it is empty', [refused('')], { verdict: 'observed', facts: { form: 'no body' } }],
  [
    'only a load was refused, of which samples were kept',
    madeEvidence([{}], { ledgers: [madeLedger([{ sentMs: 1, status: 429 }], { samples: [sampled('slow down')] })] }),
    { verdict: 'observed', facts: { form: 'another body' }, witnesses: ['burst-free#0'] },
  ],
  ['nothing asks for a refusal', [{}], { verdict: 'not-tested', code: 'not-asked' }],
  ['nothing was refused', [{ probe: 'burst' }], { verdict: 'inconclusive', code: 'not-told' }],
])

verdictTable(unknownPathCheck, [
  [
    'they get something',
    [{ probe: 'unknown-path', step: 'unknown', operation: null, status: 404, intent: { case: 'GET /no-such-path' } }],
    { verdict: 'observed', facts: { seen: ['GET /no-such-path: 404'] } },
  ],
  ['none was asked', [], { verdict: 'inconclusive' }],
])
