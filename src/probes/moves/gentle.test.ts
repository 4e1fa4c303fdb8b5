import { describe, expect, it } from 'vitest'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../evidence/testing/made-ledger.js'
import type { ProbeContext, Return } from '../probe.js'
import { isNamedLong, mostAskedForEnd, pollNextEnd, waitPastLoad, windowAfter } from './gentle.js'

/** Polls a key of 60 a minute that has just been spent, whose refusals name a moment, and which is served from another on. */
const polled = async ({
  named,
  served,
  resetAt,
  behindLoad,
  openedBefore,
  isConstant = false,
  isLong = false,
  isBucket = false,
}: {
  readonly named: number
  readonly served: number
  readonly resetAt?: number
  readonly behindLoad?: { readonly from: number; readonly to: number }
  readonly openedBefore?: number
  /** Whether each refusal names a minute, whatever is left of it. */
  readonly isConstant?: boolean
  /** Whether the run knows that waits are too long. */
  readonly isLong?: boolean
  /** Whether a key of the run showed a bucket. */
  readonly isBucket?: boolean
}) => {
  let [now, refusedAt] = [0, 0]
  let returned: Return | undefined
  const asked: number[] = []
  const context = {
    key: { name: 'free', plan: 'free', quota: { limit: 60, longer: 1_000 } },
    windowMs: 60_000,
    ordinary: {},
    now: () => now,
    longestRoundTripMs: () => 2,
    lastReturn: () => returned,
    namesLongWaits: () => isLong,
    comesBackInBits: () => isBucket,
    hintsOf: () => ({
      retryAt: isConstant ? now + 60_000 : named,
      ...(resetAt !== undefined && { resetAt, limit: 60 }),
    }),
    waitUntil: async (at: number) => {
      now = Math.max(now, at)
    },
    askOnce: async () => {
      asked.push(now)
      if (now < served) refusedAt = now
      else returned = { refusedAt, servedAt: now }
      return { sentAt: now, response: { status: now >= served ? 200 : 429 } }
    },
  }
  const found = await pollNextEnd(context as unknown as ProbeContext<'gentle'>, named, { behindLoad, openedBefore })
  return { asked, found }
}

describe("a window's end", () => {
  it('is found to 1.5 % of the window, where it is about what was named', async () => {
    const { asked, found } = await polled({ named: 60_000, served: 59_500 })
    expect(found).toMatchObject({ isFine: true, wasOpen: false })
    expect(asked.at(-1)).toBeGreaterThanOrEqual(59_500)
    expect(asked.at(-1)).toBeLessThan(59_500 + 900)
  })

  it('is found to a quarter of a second in the last one that is named, so that a wait which is too short by 0.3 s shows', async () => {
    const { asked } = await polled({ named: 60_000, served: 59_500 })
    expect(asked.at(-1)).toBeLessThan(59_500 + 250)
  })

  it('is not asked for a window after a load, where it may lie in the middle of that', async () => {
    const { asked } = await polled({ named: 60_000, served: 59_300, behindLoad: { from: 59_200, to: 59_500 } })
    expect(asked.at(-2)).toBeLessThan(59_200)
    expect(asked.at(-1)).toBe(59_500)
  })

  it('is asked for just before a window after the request that may have opened it', async () => {
    const { asked } = await polled({ named: 60_000, served: 60_300, openedBefore: 60_300 })
    // 35 ms for what clocks can't tell, and 2 ms for the round trip.
    expect(asked).toContain(60_263)
    expect(asked.at(-1)).toBeGreaterThan(60_300)
  })

  it('is found where Reset has it, if Retry-After is needlessly long', async () => {
    const { asked, found } = await polled({ named: 68_000, resetAt: 59_000, served: 59_500 })
    expect(found).toMatchObject({ isFine: true, wasOpen: false })
    expect(asked.at(-1)).toBeLessThan(59_500 + 900)
  })

  it('that comes long before what was named is met by a question in the silence before the polls', async () => {
    const { asked, found } = await polled({ named: 60_000, served: 20_000 })
    expect(found).toMatchObject({ isFine: false, wasOpen: true })
    expect(asked.at(-1)).toBeLessThan(60_000 - 20_000)
  })

  it('is presumed a window after the load where waits are known to be always a minute', async () => {
    const unknown = await polled({ named: 50_000, served: 50_500, isConstant: true })
    expect(unknown.found).toMatchObject({ isFine: false })
    const { asked, found } = await polled({ named: 50_000, served: 50_500, isConstant: true, isLong: true })
    expect(found).toMatchObject({ isFine: true, wasOpen: false })
    expect(asked.at(-1)).toBeLessThan(50_500 + 900)
  })

  it('that comes sooner than that shows no bucket but where one was seen: nobody knew when it would come', async () => {
    const soon = { named: 58_000, served: 20_000, isConstant: true, isLong: true }
    expect((await polled(soon)).found).toMatchObject({ isFine: false, wasOpen: false, isServed: true })
    expect((await polled({ ...soon, isBucket: true })).found).toMatchObject({ wasOpen: true })
  })

  it('that never comes takes no more than is declared, and the first question', async () => {
    const { asked, found } = await polled({ named: 60_000, served: Number.POSITIVE_INFINITY })
    expect(found).toMatchObject({ isFine: false, wasOpen: false })
    expect(asked.length).toBeLessThanOrEqual(1 + mostAskedForEnd)
  })

  it('is none, where a key is served that was just spent and has no time to get anything back', async () => {
    expect((await polled({ named: 60_000, served: 0 })).found).toMatchObject({ isFine: false, wasOpen: false })
  })
})

describe('a wait', () => {
  it.each([
    ['is too long where the key is served long before its end', 60_000, 30_000, true],
    ['may be rounded up to a second', 60_000, 58_900, false],
    ['may be overtaken by a slow clock', 60_000, 58_801, false],
    ['is not too long where none was named', undefined, 30_000, false],
  ])('%s', (_what, namedAt, servedAt, isLong) => {
    expect(isNamedLong({ refusedAt: 0, servedAt, ...(namedAt !== undefined && { namedAt }) })).toBe(isLong)
  })
})

describe('a load that took from 0.2 to 0.5 s, and lost an answer', () => {
  const { rows } = madeLedger([
    { sentMs: 200, tookMs: 200 },
    { sentMs: 200, tookMs: 300, status: 429 },
    { sentMs: 200, status: null },
  ])
  const opener = madeExchange({ sentAt: 0 })

  it.each([
    ['an end that comes while it would be sent again', 60_300, 429, [60_535]],
    ['an end before', 30_000, 429, []],
    ['no end: the key is served', 60_300, 200, []],
  ])('is waited past, with %s', async (_what, retryAt, status, waited) => {
    const waits: number[] = []
    const context = { windowMs: 60_000, hintsOf: () => ({ retryAt }), waitUntil: async (at: number) => waits.push(at) }
    await waitPastLoad(context as unknown as ProbeContext, opener, rows, madeExchange({ status }))
    expect(waits).toEqual(waited)
  })

  it('is followed by a window without polls, from its opener to its last answer', () => {
    const context = { windowMs: 60_000 } as ProbeContext
    expect(windowAfter(context, opener, rows)).toEqual({ from: 60_000, to: 60_535 })
  })
})
