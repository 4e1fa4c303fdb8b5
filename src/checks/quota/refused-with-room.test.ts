import { expect, it } from 'vitest'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import { rate } from '../rate/testing/made-headers.js'
import { refusedOperation } from './limit-kept.js'

type Asked = readonly [operation: ExchangePart['operation'], status: number, remaining: number, part?: ExchangePart]

/** What a key was asked one by one, each 100 ms after the one before it. */
const seen = (answers: readonly Asked[]) =>
  refusedOperation(
    madeEvidence(
      answers.map(([operation, status, remaining, more], i) => ({
        probe: 'burst',
        step: 'last-places',
        operation,
        sentAt: 100 * i,
        status,
        headers: { ...rate(60, remaining), ...(status === 429 ? { 'Retry-After': '60' } : {}) },
        ...more,
      })),
    ),
  )

const [list, orders, patch] = ['listInventory', 'listOrders', 'updateInventory'] as const

it('an operation that is refused while places are left has a lower limit', () => {
  expect(
    seen([
      [list, 200, 2],
      [patch, 429, 0],
      [list, 200, 1],
    ]),
  ).toMatchObject({
    verdict: 'fail',
    code: 'operation-refused-with-room',
    facts: { plan: 'free', operation: patch, left: 2 },
    witnesses: [{ id: 'x1' }, { id: 'x2' }, { id: 'x3' }],
  })
})

it.each<[string, readonly Asked[]]>([
  [
    'another operation gets the place',
    [
      [list, 200, 2],
      [orders, 429, 0],
      [patch, 200, 1],
    ],
  ],
  [
    'another is refused as well',
    [
      [list, 200, 2],
      [orders, 429, 0],
      [patch, 429, 0],
      [list, 200, 1],
    ],
  ],
])('it has, too, where %s', (_, answers) => {
  expect(seen(answers)).toMatchObject({ verdict: 'fail', facts: { operation: orders, left: 2 } })
})

it.each<[string, readonly Asked[]]>([
  [
    'nothing was left',
    [
      [list, 200, 0],
      [patch, 429, 0],
      [list, 200, 59],
    ],
  ],
  [
    'a place came back in between',
    [
      [list, 200, 0],
      [patch, 429, 0],
      [list, 200, 0],
    ],
  ],
  [
    'a window began in between',
    [
      [list, 200, 1],
      [patch, 429, 0],
      [list, 200, 59],
    ],
  ],
  [
    'it was the plain request, which the limiters are asked about',
    [
      [list, 200, 2],
      [list, 429, 0],
      [list, 200, 1],
    ],
  ],
  [
    'the day refused',
    [
      [list, 200, 2],
      [patch, 429, 0, { headers: rate(1000, 0) }],
      [list, 200, 1],
    ],
  ],
  [
    'another one was under way',
    [
      [list, 200, 2],
      [list, 200, 2, { tookMs: 150 }],
      [patch, 429, 0],
      [list, 200, 1],
    ],
  ],
  [
    'another one was never answered',
    [
      [list, 200, 2],
      [list, 0, 0, { status: null }],
      [patch, 429, 0],
      [list, 200, 1],
    ],
  ],
  [
    'the key was shown in another form',
    [
      [list, 200, 2],
      [patch, 429, 0, { credential: 'key-extended' }],
      [list, 200, 1],
    ],
  ],
  [
    'the request was spelt otherwise',
    [
      [list, 200, 2],
      [patch, 429, 0, { intent: { spelling: 'x' } }],
      [list, 200, 1],
    ],
  ],
  [
    'nothing was asked behind it',
    [
      [list, 200, 2],
      [patch, 429, 0],
    ],
  ],
])('a refusal tells nothing where %s', (_, answers) => {
  expect(seen(answers)).toBeUndefined()
})
