import { expect, it } from 'vitest'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../evidence/testing/made-exchange.js'
import type { MadeRow } from '../../evidence/testing/made-ledger.js'
import { remainingByOperation } from '../../petstore/checks/remaining-by-operation.js'
import { verdictTable } from '../testing/verdict-table.js'
import { remainingFalls } from './remaining-falls.js'
import { remainingInBurst } from './remaining-in-range.js'
import { load, rate, startSeconds } from './testing/made-headers.js'
import { bucket, fixed, log, openedAt, type PlayedLimiter, playedOn } from './testing/played-limiter.js'

const row = (remaining: readonly unknown[], limit: unknown = 60, part: ExchangePart = {}): ExchangePart[] =>
  remaining.map((each, i) => ({
    probe: 'header-row',
    step: 'row',
    sentAt: i * 10,
    headers: rate(limit, each),
    ...part,
  }))
/** A walk of changes, each read back: `L` lists, `P` patches; each with the Remaining that its answer shows. */
const walked = (steps: readonly (readonly ['L' | 'P', number])[], limit = 60): ExchangePart[] =>
  steps.map(([kind, remaining], i) => ({
    probe: 'model-walk',
    operation: kind === 'L' ? 'listInventory' : 'updateInventory',
    headers: rate(limit, remaining),
    sentAt: i * 10,
    endedAt: i * 10 + 5,
  }))
/** Starts at 59 and takes off what each step names. */
const taking = (kinds: string, falls: readonly number[]): ExchangePart[] =>
  walked(
    [...kinds].map(
      (kind, i) => [kind as 'L' | 'P', falls.slice(0, i).reduce((left, fall) => left - fall, 59)] as const,
    ),
  )

/** Shows one more than is left. */
const oneMore =
  (limiter: PlayedLimiter): PlayedLimiter =>
  (at) => {
    const decision = limiter(at)
    return { ...decision, remaining: decision.remaining + 1 }
  }

/** Orders and PATCHes in turn, in a window that a burst has opened: only the orders take something off. */
const takingNothing: ExchangePart[] = Array.from({ length: 13 }, (_, i) => ({
  probe: 'model-walk',
  operation: i % 2 === 0 ? 'listOrders' : 'updateInventory',
  headers: rate(60, 58 - Math.floor(i / 2)),
  sentAt: openedAt + 65_000 + i * 10,
  endedAt: openedAt + 65_005 + i * 10,
}))

/** Readings and PATCHes in turn, in a window of their own: those at these places take nothing off, as all others do. */
const takingNothingAt = (...places: readonly number[]): ExchangePart[] =>
  Array.from({ length: 13 }, (_, i) => ({
    probe: 'model-walk',
    operation: i % 2 === 0 ? 'listInventory' : 'updateInventory',
    headers: rate(60, 59 - i + places.filter((place) => place <= i).length, startSeconds + 322),
    sentAt: openedAt + 200_000 + i * 10,
    endedAt: openedAt + 200_005 + i * 10,
  }))

/** A pet and orders in turn, in a window of their own. All take something off, and orders are answered 204. */
const besideNoOrders: ExchangePart[] = [...'LLLPOPOLOPOPL'].map((kind, i) => ({
  probe: 'other-operations',
  operation: kind === 'L' ? 'listInventory' : kind === 'P' ? 'getPet' : 'listOrders',
  status: kind === 'O' ? 204 : 200,
  headers: rate(60, 59 - i, startSeconds + 322),
  sentAt: openedAt + 200_000 + i * 10,
  endedAt: openedAt + 200_005 + i * 10,
}))

/** An order, and a PATCH `afterMs` later, again and again: the bucket was full before each, and the PATCH leaves all of it. */
const leavingAll = ({ ofOrders = 59, tookMs = 5, afterMs = 2_000 } = {}): ExchangePart[] =>
  Array.from({ length: 12 }, (_, i) => {
    const sentAt = openedAt + 200_000 + Math.floor(i / 2) * (afterMs + 2_000) + (i % 2) * afterMs
    return {
      probe: 'read-write-read',
      operation: i % 2 === 0 ? 'listOrders' : 'updateInventory',
      headers: rate(60, i % 2 === 0 ? ofOrders : 60),
      sentAt,
      tookMs,
      endedAt: sentAt + tookMs,
    }
  })

/** Lists that spend the key, then five PATCHes in the same moment between two lists, twice: each time so much is gone. */
const atOnce = (
  left: number,
  fall: number,
  { afterMs = 200_000, status = 200 as number | null } = {},
): ExchangePart[] => {
  const listed = (sentAt: number, remaining: number) => ({
    ...{ probe: 'read-write-read', sentAt, endedAt: sentAt + 2, headers: rate(60, remaining) },
  })
  const from = openedAt + afterMs
  const before = Array.from({ length: 58 - left }, (_, i) => listed(from - (58 - left - i) * 5, 58 - i))
  const both = [0, 1, 2].flatMap((time) => {
    const sentAt = from + time * 20
    const patches = Array.from({ length: time < 2 ? 5 : 0 }, (_, i) => ({
      ...{ probe: 'read-write-read', step: 'at-once', operation: 'updateInventory' as const },
      ...{ sentAt: sentAt + 5 + i / 10, endedAt: sentAt + 15 - i, headers: rate(60, left - time * fall - 1) },
      ...(i === 2 ? { status } : {}),
    }))
    return [listed(sentAt, left - time * fall), ...patches]
  })
  return [...before, ...both]
}

verdictTable(remainingByOperation, [
  [
    'PATCHes of the same moment take one off together, of a window',
    playedOn(fixed(), { beside: atOnce(50, 2) }),
    { verdict: 'fail', code: 'at-once-counted-fewer', facts: { sent: 6, from: 50, to: 48, times: 2 } },
  ],
  [
    'they do, of a bucket that had no time to give so much back',
    playedOn(bucket(Math.floor), { beside: atOnce(50, 2) }),
    { verdict: 'fail', code: 'at-once-counted-fewer' },
  ],
  ['they do, and nothing is known of the limiter', atOnce(50, 2), { verdict: 'inconclusive' }],
  [
    'they do, of a log that may have lost as many of a window ago',
    playedOn(log(), { beside: atOnce(50, 2, { afterMs: 144_150 }) }),
    { verdict: 'inconclusive' },
  ],
  [
    'two of six PATCHes take nothing, of a window',
    playedOn(fixed(), { beside: takingNothingAt(3, 7) }),
    {
      verdict: 'fail',
      code: 'operation-not-always-counted',
      facts: { plan: 'free', operation: 'updateInventory', times: 2 },
    },
  ],
  ['there are no orders, which is answered 204', playedOn(fixed(), { beside: besideNoOrders }), { verdict: 'pass' }],
  ['one of them does', playedOn(fixed(), { beside: takingNothingAt(3) }), { verdict: 'pass' }],
  ['two of them do, of a bucket', playedOn(bucket(Math.floor), { beside: takingNothingAt(3, 7) }), { verdict: 'pass' }],
  ['all of them are counted', playedOn(fixed(), { beside: atOnce(50, 6) }), { verdict: 'inconclusive' }],
  [
    'a window that began anew would show as much',
    playedOn(fixed(), { beside: atOnce(58, 2) }),
    { verdict: 'inconclusive' },
  ],
  [
    'one of them was refused',
    playedOn(fixed(), { beside: atOnce(50, 2, { status: 429 }) }),
    { verdict: 'inconclusive' },
  ],
  [
    'one of them was not answered',
    playedOn(fixed(), { beside: atOnce(50, 2, { status: null }) }),
    { verdict: 'inconclusive' },
  ],
  [
    'the first of several that were sent at once was counted last',
    [
      ...taking('LLPLPLLPLPLLPL', Array(13).fill(1)),
      ...[40, 35, 39, 38, 37, 36].map((left, i): ExchangePart => {
        const patch = { operation: 'updateInventory' as const, sentAt: 90_010 + i / 10, endedAt: 90_020 }
        const sent = i === 0 ? { sentAt: 90_000, endedAt: 90_002 } : patch
        return { probe: 'read-write-read', headers: rate(60, left), ...sent }
      }),
    ],
    { verdict: 'pass', facts: { told: 13 } },
  ],
  ['each takes one', taking('LLPLPLLPLPLLPL', Array(13).fill(1)), { verdict: 'pass', facts: { told: 13 } }],
  [
    'every PATCH takes two',
    taking('LLPLPLLPLPLLPL', [1, 2, 1, 2, 1, 1, 2, 1, 2, 1, 1, 2, 1]),
    {
      verdict: 'fail',
      code: 'operation-counts-otherwise',
      facts: { operation: 'updateInventory', fall: 2, times: 5, otherwise: 1 },
    },
  ],
  [
    'every PATCH but one takes two: somebody else may spend the key',
    taking('LLPLPLLPLPLLPL', [1, 2, 1, 2, 1, 1, 1, 1, 2, 1, 1, 2, 1]),
    { verdict: 'inconclusive', code: 'operation-untold', facts: { operation: 'updateInventory', told: 1, seen: 5 } },
  ],
  [
    'a PATCH shows what was left before it, and the next answer both',
    taking('LLPLPLLPLPLLPLL', [1, 0, 2, 0, 2, 1, 0, 2, 0, 2, 1, 0, 2, 1]),
    { verdict: 'fail', code: 'operation-shown-late', facts: { times: 5 } },
  ],
  [
    'a PATCH shows one less than is left, and the next answer the same again',
    taking('LLPLPPLPLPLLPLL', [1, 2, 0, 2, 1, 0, 2, 0, 2, 0, 1, 2, 0, 1]),
    { verdict: 'fail', code: 'operation-shown-too-low', facts: { operation: 'updateInventory', times: 5 } },
  ],
  [
    'the same, two at a time',
    taking('LLLPPLPPLLPPLPPLL', [1, 1, 0, 1, 2, 0, 1, 2, 1, 0, 1, 2, 0, 1, 2, 1]),
    { verdict: 'fail', code: 'operation-shown-late', facts: { times: 4 } },
  ],
  [
    'a PATCH leaves all of a bucket, and an order does not',
    playedOn(bucket(Math.floor), { beside: leavingAll() }),
    { verdict: 'fail', code: 'operation-leaves-all', facts: { operation: 'updateInventory', times: 6, limit: 60 } },
  ],
  [
    'orders leave all as well: the bucket rounds up',
    playedOn(bucket(Math.floor), { beside: leavingAll({ ofOrders: 60 }) }),
    { verdict: 'pass' },
  ],
  [
    'one order of six leaves all as well',
    playedOn(bucket(Math.floor), {
      beside: leavingAll().map((x, i) => (i === 2 ? { ...x, headers: rate(60, 60) } : x)),
    }),
    { verdict: 'inconclusive' },
  ],
  [
    'the bucket may have got one back before the answer',
    playedOn(bucket(Math.floor), { beside: leavingAll({ tookMs: 1_000 }) }),
    { verdict: 'inconclusive' },
  ],
  [
    'each of these may have opened a window',
    playedOn(bucket(Math.floor), { beside: leavingAll({ afterMs: 31_000 }) }),
    { verdict: 'inconclusive' },
  ],
  [
    'a PATCH is counted back once it was answered',
    taking('LLPLPLLLPLPLLLPL', [1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0]),
    { verdict: 'fail', code: 'operation-counted-back', facts: { operation: 'updateInventory', times: 5 } },
  ],
  [
    'answers behind a PATCH show no less, and so do others: a bucket gives it back',
    taking('LLPLPLLLPLPLLLPL', [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0]),
    { verdict: 'pass' },
  ],
  [
    'a bucket gives back what slow PATCHes take',
    playedOn(bucket(Math.floor), {
      beside: takingNothing.map((x, i) => ({ ...x, sentAt: openedAt + 65_000 + i * 900 })),
    }),
    { verdict: 'pass' },
  ],
  [
    'a bucket would have given back what faster ones take half the time',
    playedOn(bucket(Math.floor), {
      beside: takingNothing.map((x, i) => ({ ...x, sentAt: openedAt + 65_000 + i * 500 })),
    }),
    { verdict: 'inconclusive', code: 'operation-untold', facts: { operation: 'updateInventory', told: 0, seen: 6 } },
  ],
  [
    'a bucket can not have given back what fast PATCHes take',
    playedOn(bucket(Math.floor), { beside: takingNothing }),
    { verdict: 'fail', code: 'operation-not-counted', facts: { operation: 'updateInventory', times: 6 } },
  ],
  [
    'a PATCH takes nothing, of a log that counted nothing a window ago',
    playedOn(log(), { beside: takingNothing.map((x, i) => ({ ...x, sentAt: openedAt + 110_000 + i * 10 })) }),
    { verdict: 'fail', code: 'operation-not-counted', facts: { operation: 'updateInventory', times: 6 } },
  ],
  [
    'a PATCH takes nothing, of a window that gives nothing back',
    playedOn(fixed(), { beside: takingNothing }),
    { verdict: 'fail', code: 'operation-not-counted', facts: { operation: 'updateInventory', times: 6 } },
  ],
  [
    'a PATCH takes nothing, and what gives it back is not known',
    takingNothing,
    { verdict: 'inconclusive', code: 'operation-untold', facts: { operation: 'updateInventory', told: 0, seen: 6 } },
  ],
  [
    'the window ends in between',
    taking('LLPLPLLPLPLLPL', [1, 1, 1, 1, -40, 1, 1, 1, 1, 1, 1, 1, 1]),
    { verdict: 'pass', facts: { told: 12 } },
  ],
  [
    'a PATCH was asked for too seldom to tell',
    taking('LLPLLLLPL', Array(8).fill(1)),
    { verdict: 'inconclusive', code: 'operation-untold', facts: { operation: 'updateInventory', told: 2, needed: 4 } },
  ],
  ...(
    [
      ['a 404 shows what was left before it', [0, 2], { verdict: 'fail', code: 'refused-shown-otherwise' }],
      ['a 404 shows the limit', [-20, 22], { verdict: 'fail', code: 'refused-shown-otherwise', facts: { times: 4 } }],
      ['a 404 is counted', [1, 1], { verdict: 'pass' }],
      ['a 404 is given back', [0, 1], { verdict: 'pass' }],
      ['a 404 is given back once it was answered', [1, 0], { verdict: 'pass' }],
      [
        'a 404 is given back twice once it was answered',
        [1, -1],
        { verdict: 'fail', code: 'refused-gives-back-later', facts: { times: 4, status: 404 } },
      ],
    ] as const
  ).map(([title, around, expected]): [string, ExchangePart[], object] => {
    const falls = [1, ...Array.from({ length: 4 }, () => [1, 1, ...around]).flat(), 1, 1, 1, 1]
    const parts = taking(`LP${'LPUL'.repeat(4)}PLPL`, falls)
    const isRefused = (i: number) => i > 1 && i < 18 && (i - 2) % 4 === 2
    return [title, parts.map((part, i) => (isRefused(i) ? { ...part, status: 404 } : part)), expected]
  }),
  ...(
    [
      ['of two 400s the first shows one too many', [0, 2, 1], { verdict: 'fail', code: 'refused-shown-otherwise' }],
      ['of two 400s the first takes nothing', [0, 1, 1], { verdict: 'pass' }],
      ['of two 400s the second takes two', [1, 2, 1], { verdict: 'pass' }],
    ] as const
  ).map(([title, around, expected]): [string, ExchangePart[], object] => {
    const falls = [1, ...Array.from({ length: 4 }, () => [1, 1, ...around]).flat(), 1, 1, 1, 1]
    const parts = taking(`LP${'LPUUL'.repeat(4)}PLPL`, falls)
    const isRefused = (i: number) => i > 1 && i < 22 && [2, 3].includes((i - 2) % 5)
    return [title, parts.map((part, i) => (isRefused(i) ? { ...part, status: 400 } : part)), expected]
  }),
  ...(
    [
      [
        'each of ten 400s gives back two',
        1,
        10,
        0,
        { verdict: 'fail', code: 'refused-gives-back', facts: { times: 10 } },
      ],
      ['each of ten gives back two, faster than a bucket refills by three in ten', 1, 700, 0, { verdict: 'fail' }],
      ['each of ten 400s gives back what it took', 0, 10, 0, { verdict: 'pass' }],
      ['a bucket refills while slow 400s are not counted', 1, 1_000, 0, { verdict: 'pass' }],
      ['a log forgets as many meanwhile', 1, 10, 10, { verdict: 'pass' }],
    ] as const
  ).map(([title, rise, everyMs, before, expected]): [string, ExchangePart[], object] => {
    const own = taking('LLPLPLLPLPLLPL', Array(13).fill(1)).map((x) => ({ ...x, sentAt: Number(x.sentAt) + 100_000 }))
    const rising = (at: number, part: ExchangePart) => ({
      ...{ probe: 'invalid-bodies', operation: 'updateInventory' as const, sentAt: at, endedAt: at + 5 },
      ...part,
    })
    const refused = Array.from({ length: 10 }, (_, i) =>
      rising(130_000 + i * everyMs, { status: 400, headers: rate(60, 30 + rise * i) }),
    )
    const forgotten = Array.from({ length: before }, (_, i) => rising(70_000 + i * everyMs, { headers: {} }))
    return [title, [...forgotten, ...own.map((x) => ({ ...x, endedAt: x.sentAt + 5 })), ...refused], expected]
  }),
  ['nothing asked for several operations', row([59, 58, 57, 56]), { verdict: 'inconclusive', code: 'not-told' }],
])

it.each<[string, readonly ExchangePart[], string]>([
  ['PATCHes by the walk that sends them', takingNothing, 'model-walk'],
  [
    'readings of a pet by the probe that asks for it',
    takingNothing.map((x) => (x.operation === 'updateInventory' ? { ...x, operation: 'getPet' as const } : x)),
    'other-operations',
  ],
])('asks again for %s', (_, seen, probe) => {
  const finding = remainingByOperation.judge(madeEvidence(seen))
  const ways = [remainingByOperation.again ?? []].flat()
  expect(ways.filter(({ settings }) => settings(finding)).map((way) => way.probe)).toEqual([probe])
})

verdictTable(remainingFalls, [
  [
    'a full bucket shows more than it holds, wherever a row begins',
    playedOn(oneMore(bucket(Math.floor))),
    { verdict: 'inconclusive', code: 'rounded-up-or-not-counted', facts: { plan: 'free', limit: 60 } },
  ],
  ['it falls by one each', row([59, 58, 57, 56, 55]), { verdict: 'pass', facts: { told: 1 }, witnesses: ['x5'] }],
  ['it shows the day', row([999, 998, 997, 996], 1000), { verdict: 'pass' }],
  ['it once rises by one, a refill', row([59, 58, 57, 58, 57, 56]), { verdict: 'pass' }],
  ['a window ends in the middle', row([2, 1, 0, 59, 58, 57, 56]), { verdict: 'pass', facts: { told: 1 } }],
  [
    'it stands still',
    row([59, 59, 59, 59, 59]),
    { verdict: 'fail', code: 'remaining-does-not-fall', facts: { requests: 4, from: 59, to: 59 } },
  ],
  [
    'it shows what was there before',
    playedOn(fixed(), { beside: row([60, 59, 58, 57]) }),
    { verdict: 'fail', code: 'remaining-before-counting', facts: { limit: 60 } },
  ],
  [
    'it shows as much, and a bucket may hold a part of one more, rounded up',
    playedOn(bucket(Math.floor), { beside: row([60, 59, 58, 57]) }),
    { verdict: 'inconclusive', code: 'rounded-up-or-not-counted', facts: { limit: 60 } },
  ],
  [
    'it shows as much, and nothing is known of the limiter',
    row([60, 59, 58, 57]),
    { verdict: 'inconclusive', code: 'rounded-up-or-not-counted' },
  ],
  [
    'it falls by two each',
    row([58, 56, 54, 52]),
    { verdict: 'fail', code: 'remaining-falls-too-fast', facts: { requests: 3, from: 58, to: 52 } },
  ],
  [
    'it falls somewhat too fast: somebody else spends',
    row([59, 58, 56, 55]),
    { verdict: 'inconclusive', code: 'somebody-else-spends', facts: { fall: 4 } },
  ],
  ['it stands still where older use may run out', row([40, 40, 40, 40]), { verdict: 'inconclusive', code: 'not-told' }],
  ['it falls by one each where older use might run out', row([40, 39, 38, 37]), { verdict: 'pass' }],
  [
    'it shows what was used',
    row([2, 3, 4, 5, 6, 7]),
    { verdict: 'fail', code: 'remaining-does-not-fall', facts: { requests: 5, from: 2, to: 7, leastFall: 5 } },
  ],
  [
    'a bucket fills up in step with requests',
    row([2, 3, 4, 5, 6, 7]).map((part, i) => ({ ...part, sentAt: i * 2_000 })),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['older use runs out, not in step', row([2, 3, 4, 4, 5, 6, 7]), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'requests are so slow that a refill hides it',
    row([59, 59, 59, 59]).map((part, i) => ({ ...part, sentAt: i * 1_000 })),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'a busy machine asks so slowly that a window ends between any two of them',
    playedOn(fixed(), {
      beside: row([59, 59, 59, 59, 59, 59]).map((part, i) => ({ ...part, sentAt: openedAt + (10 + i) * 61_000 })),
    }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'of two rows as long the faster one tells, whose refill hides nothing',
    [
      ...row([50, 50, 49, 49]).map((part, i) => ({ ...part, sentAt: i * 1_000 })),
      ...row([59, 58, 57, 57]).map((part, i) => ({ ...part, sentAt: 60_000 + i * 10 })),
    ],
    { verdict: 'pass', facts: { told: 1 }, witnesses: ['x8'] },
  ],
  ['three answers are too few to tell', row([59, 58, 57]), { verdict: 'inconclusive', code: 'not-told' }],
  [
    'three answers show it before it counts',
    playedOn(fixed(), { beside: row([60, 59, 58]) }),
    { verdict: 'fail', code: 'remaining-before-counting' },
  ],
  [
    'it is played twice, and other probes spent the key in between',
    madeEvidence(
      [
        ...row([59, 58, 57, 56, 55]),
        ...row([20, 19, 18, 17, 16], 60, {}).map((part, i) => ({ ...part, sentAt: 5_000 + i * 10 })),
      ],
      {
        probes: [10, 6_000].map((at) => ({
          type: 'probe',
          probe: 'header-row',
          key: 'free',
          at: at * 10,
          end: 'completed',
          reason: '',
        })),
      },
    ),
    { verdict: 'pass' },
  ],
  ['there are too few answers', row([59, 58]), { verdict: 'inconclusive', code: 'not-told' }],
  ['it is missing', row([1, 2, 3], 60, { headers: {} }), { verdict: 'inconclusive' }],
])

const burst = (remaining: (i: number) => number, count = 60, part: Partial<MadeRow> = {}): MadeRow[] =>
  Array.from({ length: count }, (_, i) => ({
    sentMs: 100 + i,
    limit: 60,
    remaining: remaining(i),
    reset: startSeconds + 60,
    ...part,
  }))
verdictTable(remainingInBurst, [
  ['it falls with what was admitted', load(burst((i) => 59 - i)), { verdict: 'pass', facts: { told: 1 } }],
  ['some answers show one value twice', load(burst((i) => 59 - (i - (i % 2)))), { verdict: 'pass' }],
  [
    'it stands still',
    load(burst(() => 59)),
    { verdict: 'fail', code: 'remaining-lags-in-burst', facts: { admitted: 60, from: 59, to: 59 } },
  ],
  ['it falls far too little', load(burst((i) => 59 - Math.floor(i / 4))), { verdict: 'fail' }],
  [
    'a window ends in its middle',
    load(burst(() => 59).map((each, i) => (i > 30 ? { ...each, reset: startSeconds + 120 } : each))),
    { verdict: 'inconclusive' },
  ],
  [
    'it is spread over the window, so that a refill hides it',
    load(burst(() => 59).map((each, i) => ({ ...each, sentMs: i * 1_000 }))),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  ['few were admitted', load(burst(() => 59, 9)), { verdict: 'inconclusive' }],
  ['there was no burst', [], { verdict: 'inconclusive' }],
])
