import { expect, test } from 'vitest'
import type { RefusalRule } from '../contract/api-contract.js'
import { waitUntilReset } from './limit-values.js'
import { isServed, refusalOf } from './refusals.js'
import { headersIn } from './testing/made-contract.js'

const rule = (given: Partial<RefusalRule>): RefusalRule => ({ is: 'quota', status: [], when: {}, ...given })
const github = [
  rule({ is: 'ban', status: [403], body: 'temporarily blocked' }),
  rule({ status: [429, 403], when: { 'x-ratelimit-remaining': '0' } }),
]
const soft = [rule({ status: [200], body: '"error":"slow down"' })]

test.each<[string, readonly RefusalRule[], number, string, string, string | undefined]>([
  ['a 429 where no rule is given', [], 429, '', '', 'quota'],
  ['a 403 where no rule is given', [], 403, '', '', undefined],
  ['a ban, by its body', github, 403, 'X-RateLimit-Remaining: 0', 'You are temporarily blocked.', 'ban'],
  ['a 403 with nothing left', github, 403, 'X-RateLimit-Remaining:  0 ', 'no', 'quota'],
  ['a 403 with something left', github, 403, 'X-RateLimit-Remaining: 10', 'no', undefined],
  ['a value that only begins so', github, 429, 'X-RateLimit-Remaining: 0.0', '', undefined],
  [
    'a header that comes with two values',
    github,
    429,
    'X-RateLimit-Remaining: 0\nx-ratelimit-remaining: 1',
    '',
    undefined,
  ],
  ['a 429 that no rule fits', github, 429, '', '', undefined],
  ['a soft refusal', soft, 200, '', '{"error":"slow down"}', 'quota'],
  ['a 200 that serves', soft, 200, '', '{"items":[]}', undefined],
  ['a rule of any status', [rule({ body: 'limit' })], 418, '', 'over the limit', 'quota'],
])('%s', (_, refusals, status, block, body, expected) => {
  expect(refusalOf({ status, headers: headersIn(block), body }, { refusals: [...refusals] })).toBe(expected)
})

test.each<[string, number[], number, string, boolean]>([
  ['any 2xx', [], 204, '', true],
  ['no 2xx', [], 304, '', false],
  ['one that is expected', [404], 404, '', true],
  ['a 2xx that is not expected', [200], 204, '', false],
  ['a soft refusal', [200], 200, '{"error":"slow down"}', false],
])('served: %s', (_, expect_, status, body, served) => {
  expect(isServed({ status, headers: [], body }, { expect: expect_ }, { refusals: soft })).toBe(served)
})

test('the reset stands for the wait of a contract without Retry-After', () => {
  const number = { state: 'number', text: '', plain: true } as const
  expect(waitUntilReset({ ...number, value: 30, from: 'now' }, 1000)).toBe(30)
  expect(waitUntilReset({ ...number, value: 1030 }, 1000)).toBe(30)
  expect(waitUntilReset({ ...number, value: 970 }, 1000)).toBe(0)
  expect(waitUntilReset({ state: 'absent' }, 1000)).toBeUndefined()
  // A moment since the epoch where a wait is agreed, and one in milliseconds where seconds are.
  const nowS = 1_795_726_117
  expect(waitUntilReset({ ...number, value: nowS + 4, from: 'now' }, nowS)).toBeUndefined()
  expect(waitUntilReset({ ...number, value: (nowS + 4) * 1000 }, nowS)).toBeUndefined()
})
