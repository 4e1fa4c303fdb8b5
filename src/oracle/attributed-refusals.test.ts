import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QuotaWindow } from '../contract/plans.js'
import { type Decision, outcomes } from '../readings/history.js'
import { attributedRefusals } from './attributed-refusals.js'
import { judgeQuota } from './judge-quota.js'
import { historyOfPart, type SharedQuota, type SharedRequests } from './shared-quota.js'
import { sharedHistory } from './testing/shared-histories.js'

interface Sent {
  readonly at: number
  readonly outcome: Decision
  readonly waitMs?: number
}

const requestsOf = (sent: readonly Sent[], shows?: SharedRequests['shows']): SharedRequests => ({
  size: sent.length,
  sentMs: Float64Array.from(sent, ({ at }) => at),
  receivedMs: Float64Array.from(sent, ({ at }) => at + 1),
  outcome: Uint8Array.from(sent, ({ outcome }) => outcomes[outcome]),
  waitMs: Float64Array.from(sent, ({ waitMs = Number.NaN }) => waitMs),
  shows,
})
const served = (count: number, fromMs: number, stepMs = 10): Sent[] =>
  Array.from({ length: count }, (_, i) => ({ at: fromMs + stepMs * i, outcome: 'admitted' }))
const refused = (at: number, waitMs?: number): Sent => ({ at, outcome: 'refused', waitMs })

const minute: QuotaWindow = { limit: 60, windowMs: 60_000 }
const fiveMinutes: QuotaWindow = { limit: 100, windowMs: 300_000 }

const quota = (window: QuotaWindow, size: number, other: Partial<SharedQuota> = {}): SharedQuota => ({
  window,
  part: new Int32Array(size),
  clockErrorMs: 1,
  priorUntilMs: Number.NEGATIVE_INFINITY,
  countsRefused: false,
  ...other,
})

const usedBefore = { priorUntilMs: 0 }
const cases: readonly [string, Sent[], readonly [Partial<SharedQuota>, Partial<SharedQuota>], number, boolean][] = [
  ['the 61st of a minute is the minute’s', [...served(60, 0), refused(700)], [{}, {}], 0, true],
  [
    'the 101st in five minutes, the 41st of its minute, is the other’s',
    [...served(60, 0), ...served(40, 150_000), refused(151_000)],
    [{}, {}],
    1,
    true,
  ],
  ['one that both may have made is held for none', [...served(100, 0), refused(1_100)], [{}, {}], -1, true],
  [
    'a wait that is longer than the minute is not the minute’s',
    [...served(100, 0), refused(1_100, 200_000)],
    [{}, {}],
    1,
    true,
  ],
  [
    'a wait that neither can name tells nothing of which one refused',
    [...served(60, 0), refused(700, 900_000)],
    [{}, {}],
    0,
    true,
  ],
  ['one that none explains is held for the fuller one', [...served(50, 0), refused(600)], [{}, {}], 0, false],
  [
    'and for the longer window where more of that was spent',
    [...served(30, 0), ...served(30, 130_000), ...served(30, 260_000), refused(261_000)],
    [{}, {}],
    1,
    false,
  ],
  [
    'what others may have spent before the run may refuse',
    [...served(50, 0), refused(130_000)],
    [usedBefore, usedBefore],
    1,
    true,
  ],
  ['but not what lies too far back', [...served(50, 0), refused(600_100)], [usedBefore, usedBefore], 0, false],
  [
    'nor where nothing spent before explains it: a window that began anew and refused again',
    [...served(40, 130_000), refused(131_000), ...served(40, 260_000), refused(261_000)],
    [usedBefore, { ...usedBefore, window: { ...fiveMinutes, models: ['fixed-window-first-request', 'token-bucket'] } }],
    0,
    false,
  ],
  [
    'what was refused elsewhere may have been counted, where that is so',
    [...served(60, 0), ...Array.from({ length: 40 }, (_, i) => refused(700 + i)), refused(130_000)],
    [{ countsRefused: true }, { countsRefused: true }],
    1,
    true,
  ],
  [
    'a request of five is refused where four are left',
    [...served(12, 0), refused(200)],
    [{ cost: new Uint16Array(13).fill(5) }, {}],
    0,
    true,
  ],
]

describe('what one quota is known to be', () => {
  const [six, ten]: readonly QuotaWindow[] = [
    { limit: 6, windowMs: 3_000 },
    { limit: 10, windowMs: 6_000, models: ['fixed-window', 'fixed-window-first-request', 'sliding-log'] },
  ]
  const bothCounting = (sent: readonly Sent[], counts: boolean) =>
    attributedRefusals(
      requestsOf(sent),
      [six, ten].map((each) => quota(each, sent.length, { countsRefused: counts })),
    )
  /** Six, and as soon as five of them count no more four and one that is refused: a sliding counter may still weigh the six. */
  const round = (at: number): Sent[] => [
    ...served(5, at),
    ...served(1, at + 1_500),
    ...served(4, at + 3_100),
    refused(at + 3_150),
  ]

  it('tells who refused: a sliding counter does not, once six just after six show that it is none', () => {
    expect(bothCounting(round(0), false).heldFor.at(-1)).toBe(-1)
    const rounds = [0, 20_500, 41_000, 61_500, 82_000, 102_500].flatMap(round)
    expect(bothCounting(rounds, false).heldFor.at(-1)).toBe(1)
  })

  it('tells whether the longer one counts what the shorter one refuses: it served more than it then could', () => {
    const spent = (at: number): Sent[] => [
      ...served(6, at),
      ...Array.from({ length: 4 }, (_, i) => refused(at + 70 + i)),
    ]
    const last = [...spent(80_000), refused(82_500)]
    expect(bothCounting(last, true).heldFor.at(-1)).toBe(-1)
    const before = [0, 21_000, 37_500, 58_500].flatMap((at) => [...spent(at), ...served(4, at + 3_100)])
    expect(bothCounting([...before, ...last], true).heldFor.at(-1)).toBe(0)
  })
})

describe('the quota that a refusal is held for', () => {
  it.each(cases)('%s', (_, sent, [first, second], expected, isExplained) => {
    const requests = requestsOf(sent)
    const quotas = [quota(minute, sent.length, first), quota(fiveMinutes, sent.length, second)]
    const { heldFor, unexplained } = attributedRefusals(requests, quotas)
    expect([heldFor[sent.length - 1], unexplained.length === 0]).toEqual([expected, isExplained])
  })

  it.each([
    ['the other one of two, where the refusal shows what is left of one', [0], [outcomes.excused, outcomes.refused]],
    ['none of two that are both spent, where it shows that of neither', [], [outcomes.excused, outcomes.excused]],
    ['none either where it shows something left of both', [0, 1], [outcomes.excused, outcomes.excused]],
  ])('is %s', (_, left, expected) => {
    const requests = requestsOf([...served(100, 0), refused(1_100)], (_, place) =>
      left.includes(place) ? 'left' : 'spent',
    )
    const { outcome } = attributedRefusals(requests, [quota(minute, 101), quota(fiveMinutes, 101)])
    expect(outcome.map((each) => each[100])).toEqual(expected)
  })

  it.each([
    ['the one that the wait names, where the answer shows it spent', 1, [outcomes.excused, outcomes.refused]],
    ['none, where the wait names one and the answer shows the other spent', 0, [outcomes.excused, outcomes.excused]],
  ])('is %s', (_, spent, expected) => {
    const requests = requestsOf([...served(100, 0), refused(1_100, 200_000)], (_, place) =>
      place === spent ? 'spent' : 'left',
    )
    const { outcome } = attributedRefusals(requests, [quota(minute, 101), quota(fiveMinutes, 101)])
    expect(outcome.map((each) => each[100])).toEqual(expected)
  })

  it('is not one that only refused requests can have spent, though the wait is longer than the one that was spent can name', () => {
    const many = Array.from({ length: 50 }, (_, i) => refused(700 + i, 90_000))
    const requests = requestsOf([...served(60, 0), ...many, refused(1_500, 90_000)])
    const { outcome } = attributedRefusals(requests, [
      quota(minute, 111),
      quota(fiveMinutes, 111, { countsRefused: true }),
    ])
    expect(outcome[1][110]).not.toBe(outcomes.refused)
  })

  it('is not one that has room by its count, though the answer shows something left of the other alone', () => {
    const requests = requestsOf([...served(61, 0), refused(1_100)], (_, place) => (place === 0 ? 'left' : undefined))
    const { outcome } = attributedRefusals(requests, [quota(minute, 62), quota(fiveMinutes, 62)])
    expect(outcome.map((each) => each[61])).toEqual([outcomes.refused, outcomes.excused])
  })

  it('is never one in which the request does not count', () => {
    const requests = requestsOf([...served(60, 0), refused(700)])
    const { outcome } = attributedRefusals(requests, [
      quota(minute, 61),
      quota(fiveMinutes, 61, { part: new Int32Array(61).fill(-1) }),
    ])
    expect([...outcome[1]]).toEqual(Array(61).fill(outcomes.excused))
  })
})

type Pair = readonly [QuotaWindow, QuotaWindow]

const pairs: readonly (readonly [string, Pair])[] = [
  ['60 a minute and 100 in five minutes', [minute, fiveMinutes]],
  [
    '10 a second and 40 a minute',
    [
      { limit: 10, windowMs: 1_000 },
      { limit: 40, windowMs: 60_000 },
    ],
  ],
  [
    '5 a second and 20 in five seconds',
    [
      { limit: 5, windowMs: 1_000 },
      { limit: 20, windowMs: 5_000 },
    ],
  ],
]

const verdictsOf = (pair: Pair, seed: number, options: Parameters<typeof sharedHistory>[2] = {}) => {
  const { requests, quotas } = sharedHistory(pair, seed, options)
  const { outcome } = attributedRefusals(requests, quotas)
  return quotas.map((each, place) => {
    const { history } = historyOfPart(requests, each, outcome[place], 0)
    return judgeQuota(history, each.window).verdict
  })
}

describe('of limiters that keep two quotas', () => {
  it.each(pairs)('%s none is refuted, whichever they are', (_, pair) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(verdictsOf(pair, seed)).not.toContain('fail')
      }),
      { numRuns: 60 },
    )
  })
})

describe('a limiter that refuses a fifth too early', () => {
  it('is convicted where the other quota has room', () => {
    const roomy: Pair = [minute, { limit: 1_000, windowMs: 300_000 }]
    const seeds = Array.from({ length: 10 }, (_, i) => i + 1)
    const convicted = seeds.filter((seed) => {
      const [first, second] = verdictsOf(roomy, seed, { firstShare: 0.8, usedBefore: false })
      return first === 'fail' && second !== 'fail'
    })
    expect(convicted).toEqual(seeds)
  })
})
