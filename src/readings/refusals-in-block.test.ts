import { describe, expect, it } from 'vitest'
import { blockedRefusals } from './blocks.js'

const status = { admitted: 200, refused: 429, lost: 0 }

/** Requests in order of sending: what became of each, when it was sent and answered, seconds; the last: of no probe of the quota. */
type Request = readonly [keyof typeof status, number, number, 'other'?]

const blocked = (...requests: readonly Request[]): number[] => blockedWhere(10, requests)

const blockedWhere = (blockedAtLeastMs: number, requests: readonly Request[]): number[] => [
  ...blockedRefusals(
    { blockedForMs: 10, blockedAtLeastMs },
    {
      size: requests.length,
      status: Uint16Array.from(requests, ([what]) => status[what]),
      ordinary: Uint8Array.from(requests, ([, , , other]) => (other === undefined ? 1 : 0)),
      sentMs: Float64Array.from(requests, ([, sent]) => sent),
      receivedMs: Float64Array.from(requests, ([, , received]) => received),
    },
  ),
]

describe('of a block of 10 s that the first refusal begins, at 1 to 2 s', () => {
  const first: Request = ['refused', 1, 2]
  it.each<[string, readonly Request[], number[]]>([
    ['refusals within its time are its', [first, ['refused', 3, 4], ['refused', 10, 10.5]], [0, 1, 1]],
    ['one that was sent with it is its', [first, ['refused', 1, 1.5]], [0, 1]],
    ['one that comes after its longest time is the quota\u2019s own', [first, ['refused', 12.1, 13]], [0, 0]],
    [
      'one after an admission is the quota\u2019s own, though it may have lasted as long',
      [first, ['admitted', 11.2, 11.4], ['refused', 11.5, 11.6], ['refused', 12.5, 12.6]],
      [0, 0, 0, 1],
    ],
    [
      'one beside such an admission may be its or begin another, and so may each that follows in time',
      [first, ['admitted', 11.2, 11.6], ['refused', 11.3, 11.6], ['refused', 12.5, 12.6], ['refused', 22.5, 22.6]],
      [0, 0, 1, 1, 1],
    ],
    [
      'so may one that was overtaken by an admission',
      [first, ['refused', 11, 11.6], ['admitted', 11.1, 11.2], ['refused', 12.5, 12.6]],
      [0, 1, 0, 1],
    ],
    [
      'so may one that was answered after its shortest time, without an admission',
      [first, ['refused', 10.9, 11.1], ['refused', 21, 21.05], ['refused', 21.2, 21.3]],
      [0, 1, 1, 1],
    ],
    [
      'so may one after a request without an answer',
      [first, ['lost', 5, 60], ['refused', 9, 9.5], ['refused', 19.2, 19.3]],
      [0, 0, 1, 1],
    ],
    [
      'a request that the quota does not count ends nothing',
      [first, ['admitted', 3, 4, 'other'], ['refused', 5, 6], ['refused', 12.5, 13]],
      [0, 0, 1, 0],
    ],
    [
      'an admission that was under way with it ends nothing',
      [['admitted', 0.5, 1.5], first, ['admitted', 1.5, 2.5], ['refused', 5, 6], ['refused', 12.5, 13]],
      [0, 0, 0, 1, 0],
    ],
  ])('%s', (_told, requests, expected) => {
    expect(blocked(...requests)).toEqual(expected)
  })
})

it('may have ended from its least time on, so that a later refusal may be of the next block', () => {
  const requests: readonly Request[] = [
    ['refused', 1, 2],
    ['refused', 8, 9],
    ['refused', 16, 17],
  ]
  expect([blockedWhere(10, requests), blockedWhere(7, requests)]).toEqual([
    [0, 1, 0],
    [0, 1, 1],
  ])
})

it('nothing is blocked where the contract knows no block', () => {
  const requests = { status: Uint16Array.of(429, 429), ordinary: Uint8Array.of(1, 1) }
  const times = { sentMs: Float64Array.of(1, 2), receivedMs: Float64Array.of(1, 2) }
  expect([...blockedRefusals({ blockedForMs: 0, blockedAtLeastMs: 0 }, { size: 2, ...requests, ...times })]).toEqual([
    0, 0,
  ])
})
