import { expect, it } from 'vitest'
import type { KeyFacts, LoadPlan, ProbeContext } from '../probe.js'
import { spread } from './spread.js'

const free: KeyFacts = { name: 'free', plan: 'free', quota: { limit: 60, longer: 10_000 } }
const settings = spread.settings.parse({ machines: 2 })

/** The loads on a key with a window of 2 s, in windows since its last request, where each admits so many and refuses the rest. */
const playedWith = async (admitted: number, room = 1_000, tookMs = 400) => {
  const did: string[] = []
  let at = 0
  let sent = 0
  let lastUsedAt = 0
  const context = {
    key: free,
    isShort: false,
    windowMs: 2_000,
    longestWaitMs: 4_000,
    ordinary: {},
    lastUsedAt: () => lastUsedAt,
    lastReturn: () => undefined,
    namesLongWaits: () => false,
    carriesOver: () => false,
    comesBackInBits: () => false,
    now: () => at,
    longestRoundTripMs: () => 1,
    hasRoom: (requests: number) => requests <= room,
    hintsOf: () => ({}),
    waitUntil: async (until: number) => {
      at = Math.max(at, until)
    },
    askOnce: async () => {
      sent += 1
      lastUsedAt = at
      return { sentAt: at, response: { status: 200 } }
    },
    load: async ({ id, amount }: LoadPlan) => {
      did.push(`${(at / 2_000).toFixed(1)}: ${id} ${amount}`)
      sent += amount
      const status = Uint16Array.from({ length: amount }, (_, i) => (i < admitted ? 200 : 429))
      const sentUs = Float64Array.from({ length: amount }, (_, i) => (at + (i * tookMs) / amount) * 1000)
      at += tookMs
      lastUsedAt = at
      return { refusals: amount - admitted, ledger: { rows: { status, sentUs, receivedUs: sentUs } } }
    },
  }
  await spread.play(context as unknown as ProbeContext<string>, settings)
  expect(sent).toBeLessThanOrEqual(spread.cost(free, settings, [free]).keyed)
  return did
}

it.each([
  ['one count', 60, 1],
  ['an opener, and one count', 59, 1],
  ['a window that ended meanwhile, or two counts', 119, 2],
  ['two counts', 120, 2],
  ['more than windows that meet let through', 121, 1],
  ['no limit', 150, 1],
] as const)('what looks like %s (%d of 60) is sent so often: %d', async (_, admitted, times) => {
  expect(await playedWith(admitted)).toHaveLength(times)
})

it('goes out a second time half a window out of step, when nothing of the first time counts any more', async () => {
  expect(await playedWith(119)).toEqual(['1.0: spread-free 150', '3.5: spread-again-free 150'])
})

it('does not where the day has no room for it', async () => {
  expect(await playedWith(119, 150)).toEqual(['1.0: spread-free 150'])
})

it('does where a load that took longer may have met a third window', async () => {
  expect(await playedWith(121, 1_000, 3_000)).toEqual(['1.0: spread-free 150', '4.5: spread-again-free 150'])
})
