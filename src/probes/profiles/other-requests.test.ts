import { describe, expect, it } from 'vitest'
import type { KeyFacts, LoadPlan, ProbeContext, Question } from '../probe.js'
import { otherRequests } from './other-requests.js'

const keyWith = (limit: number, cost: number): KeyFacts => ({
  name: 'main',
  plan: 'main',
  quota: { limit, longer: 1_000_000 },
  others: [{ request: 'search', cost }],
})

const sentOn = async (key: KeyFacts) => {
  const sent: string[] = []
  let requests = 0
  const context = {
    key,
    windowMs: 6_000,
    ordinary: { request: 'items' },
    now: () => 0,
    lastUsedAt: () => 0,
    carriesOver: () => false,
    comesBackInBits: () => false,
    longestRoundTripMs: () => 1,
    waitUntil: async () => {},
    hintsOf: () => ({}),
    askOnce: async ({ request }: Question) => {
      sent.push(String(request))
      requests += 1
    },
    load: async ({ request, amount }: LoadPlan) => {
      sent.push(`load of ${request}`)
      requests += amount
    },
  } as unknown as ProbeContext<string>
  await otherRequests.play(context, {})
  return { sent, requests }
}

describe('a load of another request', () => {
  it.each([
    [30, 3, ['items', 'load of search', 'search']],
    [31, 3, ['load of search', 'search']],
    [30, 1, ['load of search', 'search']],
  ])('of %i units, each %i, leaves less than one costs', async (limit, cost, expected) => {
    const key = keyWith(limit, cost)
    const { sent, requests } = await sentOn(key)
    expect(sent).toEqual(expected)
    expect(requests).toBeLessThanOrEqual(otherRequests.cost(key, {}, [key]).keyed)
  })
})
