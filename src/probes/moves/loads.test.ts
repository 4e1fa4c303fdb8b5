import { describe, expect, it } from 'vitest'
import { amountAtOnce, amountInPace, atOnce, windowsInPace } from './loads.js'

const key = (minute: number, mostPerWindow?: number) => ({
  name: 'free',
  plan: 'free',
  quota: { limit: minute, longer: 1_000_000 },
  ...(mostPerWindow !== undefined && { mostPerWindow }),
})

describe('what a key is sent until it is refused', () => {
  it.each([
    ['nothing in particular where no shorter quota holds it to a pace', undefined, 0],
    // 155 at 54 in a window take 2.9 windows, in which a bucket gets 115 back beside the 40 that it held.
    ['what empties a bucket that gets part of it back meanwhile', 54, 158],
    ['no more than five limits where a bucket gets nearly all of it back', 41, 203],
    ['no more either where the pace never reaches the limit', 36, 203],
  ])('is %s', (_, mostPerWindow, amount) => {
    expect(amountInPace(key(40, mostPerWindow))).toBe(amount)
  })

  it('takes so many windows', () => {
    expect([windowsInPace(key(40)), windowsInPace(key(40, 54))]).toEqual([0, 158 / 54])
  })
})

it.each([
  ['as many connections as are asked for, to a target that is near', 4, 50],
  ['two requests under way for each millisecond that an answer may take', 80, 160],
  ['no more than 250', 900, 250],
])('a load has %s', (_, tookMs, connections) => {
  expect(atOnce({ usualRoundTripMs: () => tookMs }, 50)).toBe(connections)
})

it.each([
  ['as planned, to a target that answers at once', 1, 20],
  ['more, to one that answers later', 90, 100],
  ['as planned, where an answer takes a tenth of the window: what goes at once would be decided in several', 101, 20],
])('a load on a small limit sends %s', (_, tookMs, amount) => {
  const context = {
    key: key(5),
    blockedForMs: 0,
    windowMs: 1_000,
    longestRoundTripMs: () => tookMs,
    usualRoundTripMs: () => tookMs,
  }
  expect(amountAtOnce(context as never, 10, 20)).toBe(amount)
})
