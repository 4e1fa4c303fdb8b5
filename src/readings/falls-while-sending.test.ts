import { expect, it } from 'vitest'
import { madeEvidence } from '../evidence/testing/made-evidence.js'
import { seededRandom } from '../kit/random.js'
import { keyRecord } from './key-record.js'
import { fallsOnlyWhileSending } from './other-users.js'

const window = { limit: 300, windowMs: 60_000 }

/** When requests are sent in a window of 60 s, in milliseconds: three times 60 of them, 5 ms apart, with pauses of 20 s. */
const sentIn = (start: number): number[] =>
  [0, 20_000, 40_000].flatMap((from) => Array.from({ length: 60 }, (_, i) => start + from + 5 * i))

/** Four windows of a limiter that takes `costs` for each request, and so many of others from moment to moment. */
const played = (costs: () => number, others: (fromMs: number, toMs: number) => number = () => 0) => {
  const parts = Array.from({ length: 4 }, (_, place) => {
    const start = 60_000 * place
    let [left, at] = [window.limit, start]
    return sentIn(start).map((sentAt) => {
      left -= costs() + others(at, sentAt)
      at = sentAt
      const shown = { limit: 300, remaining: Math.max(0, left), reset: start / 1000 + 60 }
      const headers = Object.entries(shown).map(([name, value]) => [`X-RateLimit-${name}`, String(value)] as const)
      return { sentAt, tookMs: 2, headers: Object.fromEntries(headers), status: left < 0 ? 429 : 200 }
    })
  })
  const record = keyRecord(madeEvidence(parts.flat()), 'free', { from: 0, to: 0, told: false })
  return fallsOnlyWhileSending([{ record, window }])
}

/** One in so many. */
const oneIn = (many: number, seed: number) => {
  const random = seededRandom(seed)
  return () => (random.float() * many < 1 ? 2 : 1)
}

it('is said of a limiter that counts one request in 50 twice', () => {
  expect(played(oneIn(50, 1))).toBe(true)
})

it('is not said of one that counts each of them once', () => {
  expect(played(() => 1)).toBe(false)
})

it.each([0.05, 0.2, 1])('is not said where somebody else sends %d requests a second', (perSecond) => {
  const random = seededRandom(7)
  const others = (fromMs: number, toMs: number) => {
    const expected = (perSecond * (toMs - fromMs)) / 1000
    return Math.floor(expected) + Number(random.float() < expected % 1)
  }
  expect(played(() => 1, others)).toBe(false)
})

it.each([
  [1, true],
  [6, false],
])('is said where %i of the falls are in pauses: %s', (many, isSaid) => {
  let pauses = 0
  const others = (fromMs: number, toMs: number) => {
    pauses += Number(toMs - fromMs > 1_000)
    return toMs - fromMs > 1_000 && pauses <= many ? 1 : 0
  }
  expect(played(oneIn(50, 1), others)).toBe(isSaid)
})

it('is not said of a few falls, which somebody else may have brought about', () => {
  let sent = 0
  const costs = () => {
    sent += 1
    return sent === 50 || sent === 100 ? 2 : 1
  }
  expect(played(costs)).toBe(false)
})

it('is not said where Remaining lags behind, and catches up in a pause', () => {
  let owed = 0
  const costs = () => {
    owed += 1
    return 0
  }
  const others = (fromMs: number, toMs: number) => {
    const paid = toMs - fromMs > 1_000 ? owed : 0
    owed -= paid
    return paid
  }
  expect(played(costs, others)).toBe(false)
})
