import { expect, it } from 'vitest'
import type { ModelName } from '../../contract/limiter-models.js'
import { givesBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { keepsWhatIsSpent } from '../../oracle/keeps-what-is-spent.js'
import { verdictTable } from '../testing/verdict-table.js'
import { remainingRepeated } from './remaining-kept.js'
import { bucket, fixed, log, openedAt, type PlayedLimiter, playedOn, windowMs } from './testing/played-limiter.js'

/** Forgets to show the request that leaves `left`: from there on one more than is left is shown, as long as there is `least`. */
const forgettingAt =
  (left: number, limiter: PlayedLimiter, least = 0): PlayedLimiter =>
  (at) => {
    const decision = limiter(at)
    const { admitted, remaining } = decision
    return admitted && remaining <= left && remaining >= least ? { ...decision, remaining: remaining + 1 } : decision
  }

/** Shows in the first answer of a window what was left of the one before. */
const showingWindowBefore = (limiter: PlayedLimiter): PlayedLimiter => {
  let last: ReturnType<PlayedLimiter> | undefined
  return (at) => {
    const decision = limiter(at)
    const remaining = last && last.freeAt !== decision.freeAt ? last.remaining : decision.remaining
    last = decision
    return { ...decision, remaining }
  }
}

/** Says to whoever asks at that moment that all of the next window remains, though this one ends in 400 ms. */
const readingNextWindow =
  (moment: number, limiter: PlayedLimiter): PlayedLimiter =>
  (at) => {
    const decision = limiter(at)
    if (at < moment - 100 || at > moment) return decision
    return { ...decision, remaining: at === moment ? 60 : decision.remaining, freeAt: moment + 400 }
  }

/** Every second answer comes from a node that shows one less. */
const byTwoNodes = (limiter: PlayedLimiter): PlayedLimiter => {
  let asked = 0
  return (at) => {
    const decision = limiter(at)
    asked += 1
    return asked % 2 === 0 ? { ...decision, remaining: Math.max(0, decision.remaining - 1) } : decision
  }
}

/** Somebody else asks beside every third request. */
const beside = (limiter: PlayedLimiter): PlayedLimiter => {
  let asked = 0
  return (at) => {
    asked += 1
    if (asked % 3 === 0) limiter(at)
    return limiter(at)
  }
}

verdictTable(remainingRepeated, [
  ['each request of a window shows one less', playedOn(fixed()), { verdict: 'pass', code: 'told' }],
  [
    'the request that opens a window is not counted: one too many is admitted',
    playedOn(fixed(0)),
    {
      verdict: 'fail',
      code: 'window-opener-not-counted',
      facts: { plan: 'free', limit: 60, remaining: 59 },
      witnesses: ['x2', 'burst-free#0'],
    },
  ],
  [
    'the first answer of a window shows what was left of the one before',
    playedOn(showingWindowBefore(fixed()), { later: [126_000, 126_020] }),
    { verdict: 'fail', code: 'remaining-rises', facts: { plan: 'free', limit: 60, from: 0, to: 58 } },
  ],
  [
    'that answer may have been under way when the window began',
    playedOn(showingWindowBefore(fixed()), { later: [120_100, 120_120] }),
    { verdict: 'pass', code: 'told' },
  ],
  [
    'an answer shows what is left of the next window, which begins within the second to which Reset is rounded',
    playedOn(readingNextWindow(openedAt + 126_031, fixed()), { later: [126_000, 126_030] }),
    { verdict: 'pass', code: 'told' },
  ],
  [
    'no limiter explains the answers, and the one that it looks like may not be the one that it is',
    playedOn(forgettingAt(40, fixed(), 30), { key: { quota: { limit: 61, longer: 1_000 } } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'one in the middle does not show itself, and nothing is admitted too much',
    playedOn(forgettingAt(40, fixed())),
    { verdict: 'fail', code: 'remaining-repeated', facts: { plan: 'free', limit: 60, remaining: 41 } },
  ],
  [
    'one of two nodes shows one less, as if somebody else spent the key',
    playedOn(byTwoNodes(fixed()), { later: [126_000, 126_020, 126_040, 126_060] }),
    { verdict: 'fail', code: 'remaining-repeated', facts: { plan: 'free', limit: 60 } },
  ],
  [
    'somebody else spends the key',
    playedOn(beside(fixed()), { later: [126_000, 126_020, 126_040, 126_060] }),
    { verdict: 'pass', code: 'told' },
  ],
  [
    'two workers each show a count of their own',
    playedOn(forgettingAt(58, forgettingAt(40, fixed()))),
    { verdict: 'fail', code: 'remaining-repeated', facts: { remaining: 42 } },
  ],
  [
    'what a bucket holds, rounded up, is shown twice',
    playedOn(bucket(Math.ceil)),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'what a bucket holds, rounded down, is shown twice though it was full before',
    playedOn(forgettingAt(58, bucket(Math.floor), 30)),
    { verdict: 'fail', facts: { remaining: 59 } },
  ],
  [
    'it was not full, so that a little more may have made another request',
    playedOn(forgettingAt(50, bucket(Math.floor), 30)),
    { verdict: 'pass', facts: { told: 3 } },
  ],
  [
    'a request that failed may have been counted, and counted back, between the two',
    playedOn(fixed(0), {
      beside: [50, 83_990, 155_990].map((ms) => ({
        probe: 'unknown-pet',
        operation: 'updateInventory',
        sentAt: openedAt + ms,
        status: 404,
      })),
    }),
    { verdict: 'inconclusive' },
  ],
  [
    'Reset shows that the two are of two windows',
    playedOn(fixed(0), { resetOf: (at, { freeAt }) => (freeAt === at + windowMs ? at - 3_600_000 : freeAt) }),
    { verdict: 'pass' },
  ],
  [
    'Reset stands still, and names the end of no window that is open',
    playedOn(fixed(), { resetOf: () => -3_600_000 }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'no Reset shows the window',
    playedOn(fixed(0), { resetOf: () => Number.NaN }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'the limits of minute and day are the same',
    playedOn(fixed(), { key: { quota: { limit: 60, longer: 60 } } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
])

it('goes by what may have left a log, where the key may have one', () => {
  // One Reset for all that is asked from 114 s on, so that it does not tell what leaves the log.
  const [key] = judgedKeys(playedOn(log(), { resetOf: () => openedAt + 139_000 }))
  if (key.judgement?.verdict !== 'pass') throw new Error('a log keeps its limit')
  const isKept = keepsWhatIsSpent({ ...key, judgement: { ...key.judgement, models: ['sliding-log'] } })
  const rowAt = (ms: number) => key.record.sentMs.findIndex((each) => each >= openedAt + ms)
  expect(isKept(rowAt(114_000), rowAt(114_010))).toBe(true)
  // What was asked at 60.01 s leaves the log 60 s later.
  expect(isKept(rowAt(114_000), rowAt(126_000))).toBe(false)
})

it('goes by what a log may have kept of refused requests, where it may refuse early', () => {
  const [key] = judgedKeys(playedOn(log()))
  if (key.judgement?.verdict !== 'pass') throw new Error('a log keeps its limit')
  // By a window of this length what the burst was refused in its last 90 ms leaves the log between the two.
  const window = { ...key.window, windowMs: 83_690 }
  const judged = { ...key, window, judgement: { ...key.judgement, models: ['sliding-log'] as const } }
  const rowAt = (ms: number) => key.record.sentMs.findIndex((each) => each >= openedAt + ms)
  const [first, second] = [rowAt(84_010), rowAt(84_020)]
  expect(keepsWhatIsSpent(judged)(first, second)).toBe(true)
  const atMost = { ...judged, agreed: { ...key.agreed, exact: { over: 0, early: null } } }
  expect(keepsWhatIsSpent(atMost)(first, second)).toBe(false)
})

it.each<[string, readonly ModelName[], boolean]>([
  ['windows, whichever they are', ['fixed-window', 'fixed-window-first-request'], true],
  ['windows or a bucket', ['fixed-window-first-request', 'token-bucket'], false],
])('holds a key to what it spent in the middle of a window where it may have %s', (_, models, holds) => {
  const [key] = judgedKeys(playedOn(fixed()))
  if (key.judgement?.verdict !== 'pass') throw new Error('a window keeps its limit')
  const judged = { ...key, judgement: { ...key.judgement, models } }
  const rowAt = (ms: number) => key.record.sentMs.findIndex((each) => each >= openedAt + ms)
  expect(keepsWhatIsSpent(judged)(rowAt(84_010), rowAt(84_020))).toBe(holds)
  expect(givesBackAtOnce(judged)).toBe(holds)
})

it('goes by nothing on a key that is nearest to a bucket, and that none explains: its tokens may come in lumps', () => {
  const [key] = judgedKeys(playedOn(fixed(0)))
  if (key.judgement?.verdict !== 'fail') throw new Error('a request that is not counted is one too many')
  const asBucket = { ...key, judgement: { ...key.judgement, closest: 'token-bucket' as const } }
  const kept = (judged: typeof key) =>
    Array.from(key.record.sentMs.keys()).filter((i) => i > 0 && keepsWhatIsSpent(judged)(i - 1, i))
  expect(kept(key)).not.toEqual([])
  expect(kept(asBucket)).toEqual([])
})

it.each<[string, readonly ModelName[], boolean]>([
  ['a request begins it', ['fixed-window-first-request', 'sliding-log'], true],
  ['it may have begun at any moment', ['fixed-window', 'fixed-window-first-request'], false],
])('knows a window by the silence before it where no Reset shows it, if %s', (_, models, holds) => {
  const [key] = judgedKeys(playedOn(fixed(), { resetOf: () => Number.NaN }))
  if (key.judgement?.verdict !== 'pass') throw new Error('a window keeps its limit')
  const isKept = keepsWhatIsSpent({ ...key, judgement: { ...key.judgement, models } })
  const rowAt = (ms: number) => key.record.sentMs.findIndex((each) => each >= openedAt + ms)
  expect(isKept(rowAt(0), rowAt(100))).toBe(holds)
  // What follows at 60 s may be of the next window, and what comes before the run is not known.
  expect(isKept(rowAt(84_010), rowAt(84_020))).toBe(false)
  expect(isKept(0, 0)).toBe(false)
})
