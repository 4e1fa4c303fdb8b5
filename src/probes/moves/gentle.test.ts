import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../evidence/exchange.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import type { ProbeContext } from '../probe.js'
import { askForShorter, mostAskedForShorter } from './gentle.js'

const minuteMs = 60_000

/** A refusal at a moment that allows a request at another; nothing named, or an admission, where told so. */
const answer = (sentAt: number, retryAt: number | undefined, status = 429) => ({
  x: madeExchange({ sentAt, status }),
  retryAt,
})

/** Asks for a shorter wait than the first answer names, where the target gives these answers in turn. */
const asked = async (first: ReturnType<typeof answer>, ...next: ReturnType<typeof answer>[]) => {
  const moments = new Map<Exchange, number | undefined>([[first.x, first.retryAt]])
  let count = 0
  const context = {
    minuteMs,
    now: () => first.x.sentAt,
    hintsOf: (x: Exchange) => ({ retryAt: moments.get(x) }),
    askOnce: async () => {
      const { x, retryAt } = next[count % next.length]
      count += 1
      moments.set(x, retryAt)
      return x
    },
  }
  const last = await askForShorter(context as unknown as ProbeContext, first.x)
  return { count, retryAt: moments.get(last) }
}

describe('asking for a shorter wait', () => {
  it('ends with the first refusal that names a clearly earlier moment', async () => {
    const result = await asked(answer(0, 6_000), answer(5, 6_005), answer(10, 5_010), answer(15, 6_015))
    expect(result).toEqual({ count: 2, retryAt: 5_010 })
  })

  it('is bounded where all name the same', async () => {
    expect(await asked(answer(0, 6_000), answer(5, 6_005))).toEqual({ count: mostAskedForShorter, retryAt: 6_005 })
  })

  it.each([
    ['is admitted', answer(5, undefined, 200)],
    ['names no wait', answer(5, undefined)],
    ['names one that nobody sits through', answer(5, 10 * minuteMs)],
  ])('ends with an answer that %s', async (_, next) => {
    expect((await asked(answer(0, 6_000), next)).count).toBe(1)
  })
})
