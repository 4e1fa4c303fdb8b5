import { verdictTable } from '../../checks/testing/verdict-table.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { jsonBodies, versionPrefix } from './interface.js'

const typed = (type: string) => [['content-type', type]] as const
const bare = { headers: typed('application/json'), body: '[]' }
/** Without the Content-Type that made exchanges have of themselves. */
const untyped = (type: string | null, body: unknown = '[]') => {
  const { exchanges, ...rest } = madeEvidence([{ body }])
  const headers = type === null ? [] : typed(type)
  return {
    ...rest,
    exchanges: exchanges.map((x) => ({ ...x, response: x.response && { ...x.response, headers: [...headers] } })),
  }
}

verdictTable(jsonBodies, [
  ['every body is JSON and says so', [bare, { status: 404, body: {} }], { verdict: 'pass', facts: { told: 2 } }],
  ['the type has a parameter', untyped('Application/JSON; charset=utf-8'), { verdict: 'pass' }],
  ['the type has a blank before its parameter', untyped('application/json ;charset=utf-8'), { verdict: 'pass' }],
  [
    'the type is another',
    untyped('text/html'),
    { verdict: 'fail', code: 'not-declared-as-json', facts: { contentType: 'text/html' } },
  ],
  ['the type only begins alike', untyped('application/jsonp'), { verdict: 'fail', code: 'not-declared-as-json' }],
  ['there is no type', untyped(null), { verdict: 'fail', facts: { contentType: 'none' } }],
  ['a body does not parse', [{ body: '[' }], { verdict: 'fail', code: 'body-is-not-json' }],
  ['a list is empty of bytes', [{ body: '' }], { verdict: 'fail', code: 'body-is-not-json' }],
  ['an error has no body', [{ status: 401, body: '' }], { verdict: 'fail', code: 'body-is-not-json' }],
  [
    'a body is no UTF-8',
    [{ body: Uint8Array.from([0x22, 0xe9, 0x22]) }],
    { verdict: 'fail', code: 'body-is-not-json' },
  ],
  ['a number is larger than any type', [{ body: '[1e999]' }], { verdict: 'pass' }],
  [
    'an operation whose shape is open answers with nothing',
    [bare, { operation: 'getPet', body: '' }],
    { verdict: 'pass', facts: { told: 1 } },
  ],
  ['an operation whose shape is open answers with text', [{ operation: 'getPet', body: 'x' }], { verdict: 'fail' }],
  ['an error of such an operation has no body', [{ operation: 'getPet', status: 404, body: '' }], { verdict: 'fail' }],
  ['only a 429 is no JSON', [bare, { status: 429, body: 'no' }], { verdict: 'pass', facts: { told: 1 } }],
  ['only an unknown path answers otherwise', [bare, { operation: null, status: 404, body: 'no' }], { verdict: 'pass' }],
  [
    'a body was cut off by the harness',
    [bare, { body: '[', truncated: true }],
    { verdict: 'inconclusive', code: 'bodies-unread', facts: { unread: 1, bodies: 2 } },
  ],
  ['nothing was answered', [{ status: null }], { verdict: 'inconclusive', code: 'not-told' }],
])

const at = (baseUrl: string, status = 200, body: unknown = []) => madeEvidence([{ status, body }], { run: { baseUrl } })

verdictTable(versionPrefix, [
  ['the list is served below /v1', at('http://127.0.0.1:8080/v1'), { verdict: 'pass', witnesses: ['x1'] }],
  ['the path is longer and ends with /v1', at('https://api.example/pets/v1'), { verdict: 'pass' }],
  ['the path ends otherwise', at('http://127.0.0.1:8080/v2'), { verdict: 'fail', code: 'base-without-v1' }],
  ['the path only ends alike', at('http://127.0.0.1:8080/rev1'), { verdict: 'fail' }],
  ['there is no path', at('http://127.0.0.1:8080'), { verdict: 'fail' }],
  [
    'a page is served there',
    at('http://127.0.0.1:8080/v1', 200, '<html>'),
    { verdict: 'inconclusive', code: 'not-told', facts: { leftOut: 1 } },
  ],
  [
    'nothing is served there',
    at('http://127.0.0.1:8080/v1', 404),
    { verdict: 'inconclusive', code: 'base-serves-nothing' },
  ],
])
