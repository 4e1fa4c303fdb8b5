import { describe, expect, it } from 'vitest'
import { conclude } from './conclude.js'
import type { SeenAnswer } from './seen-fields.js'

/** Half a second behind a multiple of three, of four and of five. */
const wallStartMs = Date.UTC(2026, 0, 15, 10, 30, 0) + 500
const limit = 20

interface Asked {
  readonly windowS: number
  /** Windows begin with their first request, or on the clock's grid. */
  readonly onGrid?: boolean
  readonly rounded: (seconds: number) => number
  /** Between one request and the next. */
  readonly paceMs?: number
  readonly requests?: number
  /** Before the last request but one. */
  readonly pauseMs?: number
}

/** The answers of a server with windows so long, asked at this pace. */
const answersOf = ({
  windowS,
  onGrid = false,
  rounded,
  paceMs = 517,
  requests = 13,
  pauseMs = 0,
}: Asked): SeenAnswer[] => {
  let [endsMs, used] = [0, 0]
  return Array.from({ length: requests }, (_, nth) => {
    const sentAt = nth * paceMs + (nth < requests - 2 ? 0 : pauseMs)
    const nowMs = wallStartMs + sentAt + 2
    if (nowMs >= endsMs) {
      const lengthMs = windowS * 1000
      endsMs = onGrid ? (Math.floor(nowMs / lengthMs) + 1) * lengthMs : nowMs + lengthMs
      used = 0
    }
    used += 1
    return {
      probe: 'items',
      credential: 'key',
      sentAt,
      receivedAt: sentAt + 5,
      status: 200,
      headers: [
        ['X-RateLimit-Limit', String(limit)],
        ['X-RateLimit-Remaining', String(limit - used)],
        ['X-RateLimit-Reset', String(rounded(endsMs / 1000))],
      ],
    }
  })
}

const windowIn = (asked: Asked) => conclude(answersOf(asked), wallStartMs, ['items']).quotas[0].windowMs?.is

describe('a short window that is seen to end', () => {
  it.each([
    ['2 s, rounded up', { windowS: 2, rounded: Math.ceil }, 2_000],
    ['3 s, rounded up', { windowS: 3, rounded: Math.ceil }, 3_000],
    ['4 s, rounded up, which looks like 5 s', { windowS: 4, rounded: Math.ceil }, 4_000],
    ['5 s, cut off, which looks like 4 s', { windowS: 5, rounded: Math.floor }, 5_000],
    ['4 s, with decimals', { windowS: 4, rounded: (seconds: number) => seconds }, 4_000],
    ['4 s on the grid of the clock', { windowS: 4, onGrid: true, rounded: Math.round, requests: 18 }, 4_000],
    ['4 s, asked for more slowly', { windowS: 4, rounded: Math.ceil, paceMs: 790 }, 4_000],
  ] satisfies [string, Asked, number][])('of %s', (_, asked, windowMs) => {
    expect(windowIn(asked)).toBe(windowMs)
  })

  it('is left open where it was not seen to end: 4 s that are rounded up and 5 s that are cut off look alike', () => {
    expect(windowIn({ windowS: 4, rounded: Math.ceil, requests: 5 })).toBeUndefined()
    expect(windowIn({ windowS: 5, rounded: Math.floor, requests: 5 })).toBeUndefined()
  })
})

describe('a Reset that moves on when a new window begins', () => {
  it('tells the length of windows that follow one another', () => {
    expect(windowIn({ windowS: 10, onGrid: true, rounded: Math.ceil, requests: 10, pauseMs: 6_000 })).toBe(10_000)
  })

  it('tells nothing of windows that each begin with their first request: the pause is in it', () => {
    expect(windowIn({ windowS: 6, rounded: Math.ceil, requests: 10, pauseMs: 5_350 })).toBeUndefined()
  })
})

describe('a Reset with decimals', () => {
  it('is only reported: no dialect but its own has them', () => {
    const { fields } = conclude(answersOf({ windowS: 4, rounded: (seconds) => seconds }), wallStartMs, ['items'])
    const reset = fields.find(({ field }) => field.is === 'reset')
    expect(reset).toMatchObject({
      field: { as: 'epoch-s', level: 'observe' },
      because: expect.stringMatching(/decimals/),
    })
  })
})
