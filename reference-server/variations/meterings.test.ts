import { describe, expect, it } from 'vitest'
import { buildApp } from '../petstore-app.js'
import { heldClock } from '../testing/held-clock.js'

const keys = [
  { plan: 'free', secret: 'free-key' },
  { plan: 'pro', secret: 'pro-key' },
] as const
const quotas = { free: { minute: 60, day: 1_000 }, pro: { minute: 60, day: 1_000 } }

const serve = (variation: string) => {
  const clock = heldClock()
  const app = buildApp({ keys, quotas, clock, variations: [variation] })
  const ask = async (key = 'free-key') => {
    const { statusCode, headers } = await app.inject({
      url: '/v1/inventory',
      headers: { authorization: `Bearer ${key}` },
    })
    const remaining = Number(headers['x-ratelimit-remaining'])
    return { status: statusCode, remaining, reset: Number(headers['x-ratelimit-reset']) }
  }
  return { clock, ask }
}

describe('a metering', () => {
  it('finds a Free key used before, in this minute and in the day', async () => {
    const { clock, ask } = serve('key-used-before')
    const beginMs = clock.wallMs()
    expect(await ask()).toEqual({ status: 200, remaining: 44, reset: Math.ceil((beginMs + 36_000) / 1000) })
    expect((await ask('pro-key')).remaining).toBe(59)
    clock.ms = 36_000
    // The minute is fresh, so that the day is nearer to its end.
    expect((await ask()).remaining).toBe(1_000 - (5 * 30 + 15) - 2)
  })

  it('takes late decisions, and no more of them than the limit', async () => {
    const { ask } = serve('judged-late')
    const answers = await Promise.all(Array.from({ length: 90 }, () => ask()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(new Set(answers.map(({ remaining }) => remaining)).size).toBe(60)
  })
})
