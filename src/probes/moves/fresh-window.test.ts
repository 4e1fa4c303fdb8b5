import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../evidence/exchange.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import type { ProbeContext } from '../probe.js'
import { isSlowToSpend, openFreshWindow } from './fresh-window.js'

/** Fixed windows, of 12 s unless told, on a grid at 0, of which nothing was used but by openers; asked from an instant on. */
const openersFrom = async (
  from: number,
  mostPerWindow: number | undefined,
  silence: number,
  windowMs = 12_000,
  remaining = 39,
  carriesOver = false,
  tookMs = 2,
  isBucket = false,
  lastUsedAt = 0,
  isEndKnown = false,
) => {
  let now = from
  const sent: number[] = []
  const resetAfter = (at: number) => windowMs * (Math.floor(at / windowMs) + 1)
  const context = {
    windowMs,
    mostPerSecond: ((mostPerWindow ?? Number.POSITIVE_INFINITY) * 1000) / windowMs,
    key: { name: 'free', plan: 'free', quota: { limit: 40, longer: 1_000_000 }, mostPerWindow },
    ordinary: {},
    now: () => now,
    lastUsedAt: () => (carriesOver ? lastUsedAt : Number.NEGATIVE_INFINITY),
    longestRoundTripMs: () => tookMs,
    carriesOver: () => carriesOver,
    windowEndAfter: (at: number) => (isEndKnown ? resetAfter(at) : undefined),
    comesBackInBits: () => isBucket,
    hintsOf: ({ sentAt }: Exchange) => ({
      limit: 40,
      remaining: sent.length === 1 ? remaining : 39,
      resetAt: resetAfter(sentAt),
    }),
    waitUntil: async (at: number) => {
      now = Math.max(now, at)
    },
    askOnce: async () => {
      sent.push(now)
      return madeExchange({ sentAt: now, status: 200 })
    },
  } as unknown as ProbeContext<string>
  await openFreshWindow(context, 1, silence)
  return { sent, isSlow: isSlowToSpend(context) }
}

describe('a fresh window', () => {
  it.each([
    ['the one that is met, where the limit is spent at once', 6_000, undefined, 1, [6_000]],
    ['the one that is met, where a pace leaves time to spend the limit in it', 500, 54, 1, [500]],
    ['the next one, where a pace takes longer than what is left of it', 6_000, 54, 1, [6_000, 12_020]],
    ['the first one after the silence that its opener broke', 6_000, 54, 2, [6_000, 24_114]],
  ])('is %s', async (_, from, mostPerWindow, silence, expected) => {
    expect((await openersFrom(from, mostPerWindow, silence)).sent.map(Math.round)).toEqual(expected)
  })

  it('is the one that has just begun, where a pace takes more of it than a Reset in whole seconds can promise', async () => {
    expect((await openersFrom(10, 41, 1, 8_000)).sent).toEqual([10])
  })

  it.each([
    ['without a silence, where half of the quota is shown to be there', 20, [6_000]],
    ['after one, where less is', 19, [6_000, 18_170]],
  ])('opens %s', async (_, remaining, expected) => {
    expect((await openersFrom(6_000, undefined, 0, 12_000, remaining)).sent).toEqual(expected)
  })

  it('is open at once, where a Reset is near because the quota comes back bit by bit', async () => {
    expect((await openersFrom(6_000, 54, 1, 12_000, 39, false, 2, true)).sent).toEqual([6_000])
  })

  it('opens so much later as a slow target may have taken to decide what came before', async () => {
    expect((await openersFrom(6_000, undefined, 0, 12_000, 19, false, 200)).sent).toEqual([6_000, 18_320])
  })

  it('opens after two windows of silence, where the window before still counts', async () => {
    expect((await openersFrom(6_000, undefined, 1, 12_000, 39, true)).sent).toEqual([24_340])
  })

  it.each([
    ['a little behind its beginning', 1, [24_620]],
    ['further behind it, where the load is played again', 2, [26_420]],
  ])(
    'opens after a silent one, where the window before still counts and its end was told: %s',
    async (_, silence, sent) => {
      const opened = await openersFrom(9_000, undefined, silence, 12_000, 39, true, 2, false, 9_000, true)
      expect(opened.sent).toEqual(sent)
    },
  )

  it('opens after a silent one, where the one that is met was used and the window before still counts', async () => {
    expect((await openersFrom(6_000, undefined, 1, 12_000, 30, true)).sent).toEqual([24_340, 48_620])
  })

  it('opens after a silent one, where the one that is met is nearly over and the window before still counts', async () => {
    const { sent } = await openersFrom(6_000, 54, 1, 12_000, 39, true, 2, false, 6_000)
    expect(sent.map(Math.round)).toEqual([30_340, 48_114])
  })

  it('is nearly over when the limit is spent in a pace, and not when it is spent at once', async () => {
    expect((await openersFrom(0, 54, 1)).isSlow).toBe(true)
    expect((await openersFrom(0, 1_000, 1)).isSlow).toBe(false)
    expect((await openersFrom(0, undefined, 1)).isSlow).toBe(false)
  })
})
