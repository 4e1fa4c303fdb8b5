import { describe, expect, it } from 'vitest'
import { countingRefusals, type LimiterSettings, limiters, type MakeLimiter } from '../certificate/limiters.js'
import type { ModelName } from '../contract/limiter-models.js'
import { outcomes } from '../readings/history.js'
import { judgeQuota } from './judge-quota.js'
import { othersMaySpend, type SpentKey, spentByOthers } from './others-spending.js'
import { type Shown, shownHistory } from './shown-history.js'
import { type HistoryEvent, historyOf } from './testing/made-history.js'
import { shownKey } from './testing/shared-keys.js'

const window = { limit: 20, windowMs: 6000 }

/** A row of requests in a burst, a window after others; each shows what is left, `null` where it was refused. */
const shown = (...bursts: readonly (readonly (number | null)[])[]) => {
  const rows = bursts.flatMap((burst, i) =>
    burst.map((left, j) => ({ left, sentMs: 20_000 * i + 3_500 * i * i + 10 * j })),
  )
  const events = rows.map(({ left, sentMs }): HistoryEvent => {
    return { sentMs, receivedMs: sentMs + 1, outcome: left === null ? 'refused' : 'admitted' }
  })
  return { history: historyOf(events), left: Float64Array.from(rows, ({ left }) => left ?? Number.NaN), window }
}

/** What is left after each of a burst: from a number down to another, or to nothing. */
const down = (from: number, to = 0): number[] => Array.from({ length: from - to + 1 }, (_, i) => from - i)
const full = [...down(19), null, null]

describe('nobody else is said to have spent what was refused', () => {
  it.each([
    ['where all is shown that this run left', [full, [...down(19, 10), null], full]],
    ['where more was refused than any answer lacks', [full, [...down(19, 15), ...down(12, 9), null], full]],
    ['where always the same number is lacking', [down(18), [...down(18), null], [...down(18), null]]],
    ['where it is lacking from the second window on', [full, [...down(18), null], [...down(18), null]]],
    [
      'where half is never shown',
      [
        [...down(9), null],
        [...down(7), null],
      ],
    ],
    ['where nothing is shown', [[Number.NaN, Number.NaN, null]]],
  ])('%s', (_, bursts) => {
    const key = shown(...bursts)
    expect(judgeQuota(key.history, window)).toMatchObject({ verdict: 'fail' })
    expect(othersMaySpend(key)).toBe(false)
  })
})

it('an answer that shows 70,000 left stands for a request of one more', () => {
  const { history, left } = shown([70_000])
  expect(Array.from(shownHistory(history, left).asked ?? [])).toEqual([1, 70_001])
})

const withOther =
  (model: ModelName, change: (settings: LimiterSettings) => Partial<LimiterSettings>): MakeLimiter =>
  (settings) =>
    limiters[model]({ ...settings, ...change(settings) })

const twice =
  (model: ModelName): MakeLimiter =>
  (settings) => {
    const limiter = limiters[model](settings)
    return { decide: (nowMs) => limiter.decide(nowMs, 2) }
  }

/** A bucket that takes out a share of a request for each that it refuses, below nothing if need be. */
const bucketCounting =
  (share: number): MakeLimiter =>
  ({ limit, windowMs }) => {
    let [tokens, at] = [limit, 0]
    return {
      decide(nowMs) {
        tokens = Math.min(limit, tokens + ((nowMs - at) * limit) / windowMs)
        at = nowMs
        const isAdmitted = tokens >= 1
        tokens -= isAdmitted ? 1 : share
        return isAdmitted
      },
    }
  }

/** A grid that adds a share of the limit at each edge, as Envoy's local limiter does with fewer tokens per fill than it holds. */
const filledBy =
  (share: number): MakeLimiter =>
  ({ limit, windowMs, epochOffsetMs }) => {
    const filled = Math.round(share * limit)
    let [tokens, last] = [limit, Number.NaN]
    return {
      decide(nowMs) {
        const edge = Math.floor((nowMs + epochOffsetMs) / windowMs)
        if (edge > last) tokens = Math.min(limit, tokens + (edge - last) * filled)
        last = edge
        if (tokens < 1) return false
        tokens -= 1
        return true
      },
    }
  }

const wrong: readonly (readonly [string, MakeLimiter])[] = [
  ...(['fixed-window', 'fixed-window-first-request', 'sliding-log', 'token-bucket'] as const).flatMap(
    (model) =>
      [
        [`a ${model} with one too few`, withOther(model, ({ limit }) => ({ limit: limit - 1 }))],
        [`a ${model} that counts twice`, twice(model)],
      ] as const,
  ),
  ...(['fixed-window', 'fixed-window-first-request', 'sliding-log', 'token-bucket'] as const).flatMap(
    (model) =>
      [
        [`a ${model} that takes a tenth longer`, withOther(model, ({ windowMs }) => ({ windowMs: windowMs * 1.1 }))],
        [
          `a ${model} that takes half as long again`,
          withOther(model, ({ windowMs }) => ({ windowMs: windowMs * 1.5 })),
        ],
      ] as const,
  ),
  ['a log that counts what it refuses', countingRefusals],
  ['a bucket from which each refusal takes half as much', bucketCounting(0.5)],
  ['a bucket from which each refusal takes a third', bucketCounting(1 / 3)],
  ['a grid that gives back half', filledBy(0.5)],
  ['a grid that gives back a little more', filledBy(0.7)],
]

describe('of a key that nobody else spends', () => {
  it.each(wrong)('%s is not excused', (_, make) => {
    for (const seed of [0, 1, 2]) {
      const key = shownKey(make, seed, { areOthers: false, mostLimit: 25 })
      expect(judgeQuota(key.history, key.window).verdict === 'fail' && othersMaySpend(key), `${seed}`).toBe(false)
    }
  })
})

describe('of a right limiter whose key somebody else spends', () => {
  it.each(['sliding-log', 'sliding-counter', 'token-bucket'] as const)(
    'most runs of a %s that would be refused too early are excused',
    (model) => {
      const refuted = [0, 1, 2, 4]
        .map((seed) => shownKey(limiters[model], seed, { areOthers: true, mostLimit: 25 }))
        .filter(({ history, window: held }) => judgeQuota(history, held).verdict === 'fail')
      const excused = refuted.filter((key) => othersMaySpend(key))
      expect(excused.length).toBeGreaterThan(refuted.length / 2)
    },
  )
})

/** A bucket of 300 in 6 s whose key somebody else spends every so often: to us it looks like one that is filled a little more slowly. */
const spentEvery = (everyMs: number): Shown => {
  const held = { limit: 300, windowMs: 6000 }
  const perMs = held.limit / held.windowMs
  const rows: { readonly sentMs: number; readonly left: number }[] = []
  let [tokens, at, others] = [held.limit, 0, everyMs]
  const take = (nowMs: number): boolean => {
    tokens = Math.min(held.limit, tokens + (nowMs - at) * perMs)
    at = nowMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
  for (const startMs of [0, 5_000, 7_000, 9_000, 12_000, 20_000]) {
    for (let i = 0; i < 330; i += 1) {
      const sentMs = startMs + i * 0.3
      for (; others <= sentMs; others += everyMs) take(others)
      rows.push({ sentMs, left: take(sentMs) ? Math.floor(tokens) : Number.NaN })
    }
  }
  const events = rows.map(({ sentMs, left }): HistoryEvent => {
    return { sentMs: sentMs - 60, receivedMs: sentMs + 60, outcome: left >= 0 ? 'admitted' : 'refused' }
  })
  return { history: historyOf(events), left: Float64Array.from(rows, ({ left }) => left), window: held }
}

describe('of several keys that one limiter serves', () => {
  const keyOf = ({ history, left, window: held }: Shown, resetOf = (_: number) => Number.NaN): SpentKey => ({
    record: {
      status: Uint16Array.from(history.outcome, (each) => (each === outcomes.refused ? 429 : 200)),
      limit: left.map(() => held.limit),
      remaining: left,
      reset: Float64Array.from(history.sentMs, resetOf),
    },
    ...{ history, window: held, agreed: held, judgement: judgeQuota(history, held) },
  })
  const shownOf = (model: ModelName, seed: number, areOthers: boolean) =>
    shownKey(limiters[model], seed, { areOthers, mostLimit: 25 })
  const played = (...of: Parameters<typeof shownOf>) => keyOf(shownOf(...of))
  const bucket = played('token-bucket', 0, false)
  const log = played('sliding-log', 0, false)
  const tooManyShown = shownOf('token-bucket', 144, true)
  const tooMany = keyOf(tooManyShown)
  const renewed = played('sliding-log', 19, true)
  const slower = keyOf(spentEvery(400))
  const unspent = keyOf(spentEvery(Number.POSITIVE_INFINITY))
  // One window, of which each place was shown.
  const inOneWindow = keyOf(tooManyShown, () => 0)
  const oneTooFew = keyOf(
    shownKey(
      withOther('token-bucket', ({ limit }) => ({ limit: limit - 1 })),
      2,
      { areOthers: false, mostLimit: 25 },
    ),
  )

  it.each<readonly [string, readonly SpentKey[], SpentKey, boolean]>([
    ['a longer window is the limiter’s where no other key passes', [], slower, false],
    ['it is not where keys that pass refute it', [unspent, bucket], slower, true],
    ['windows that are renewed are the limiter’s where no other key passes', [], renewed, false],
    ['they are not where keys that pass refute them', [log, log], renewed, true],
    ['too much is the limiter’s doing where no other key passes', [], tooMany, false],
    ['it is somebody else’s where most pass', [bucket, unspent], tooMany, true],
    ['it is the limiter’s where as many fail as pass', [bucket], tooMany, false],
    ['it is the limiter’s where this run was shown each place of the window', [bucket, unspent], inOneWindow, false],
    ['nobody is excused while a key shows it to be broken', [bucket, unspent, bucket, oneTooFew], tooMany, false],
  ])('%s', (_, others, key, isSpent) => {
    expect(key.judgement).toMatchObject({ verdict: 'fail' })
    expect(spentByOthers([key, ...others])).toEqual(isSpent ? [key] : [])
  })
})
