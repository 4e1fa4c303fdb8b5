import { describe, expect, it } from 'vitest'
import { heldClock } from '../../../reference-server/testing/held-clock.js'
import { parseHttpDate } from '../../kit/http-date.js'
import { answererOf } from './scripted-answers.js'

type Script = Parameters<typeof answererOf>[0]
type ScriptedAnswer = NonNullable<Script['answers']>[number]

const refusal = (retryAfter: ScriptedAnswer['retryAfter'], times = 1): ScriptedAnswer => ({
  status: 429,
  times,
  retryAfter,
  delayMs: 0,
  bare: false,
})
const served: ScriptedAnswer = { status: 200, times: 1, delayMs: 0, bare: false }

describe('a script of answers', () => {
  it('gives each its times, and the last for ever', () => {
    const next = answererOf({ answers: [refusal({ seconds: 1 }, 2), served] }, heldClock())
    expect([1, 2, 3, 4].map(() => next().status)).toEqual([429, 429, 200, 200])
  })

  it.each(['imf-fixdate', 'rfc850', 'asctime'] as const)('names a date as %s, rounded up to its second', (date) => {
    const clock = heldClock()
    const next = answererOf({ answers: [refusal({ date, inSeconds: 3 })] }, clock)
    const named = parseHttpDate(next().headers()['Retry-After']) ?? 0
    expect(named - clock.wallMs()).toBe(3_700)
  })

  it('carries no rate-limit header on a refusal that names no Reset', () => {
    const next = answererOf({ answers: [refusal(undefined)] }, heldClock())
    expect(next().headers()).toEqual({})
  })
})

describe('a quota', () => {
  const quota = { requests: 3, timeScale: 15, othersPerSecond: 0, serveMs: 0, banAfter: 2 }

  it('admits as many as it says, names the wait, and admits again after it', () => {
    const clock = heldClock()
    const next = answererOf({ quota }, clock)
    expect([1, 2, 3, 4].map(() => next().status)).toEqual([200, 200, 200, 429])
    clock.ms += 1_500
    const refused = next()
    expect(refused.headers()).toMatchObject({ 'Retry-After': '3', 'X-RateLimit-Remaining': '0' })
    clock.ms += 3_000
    expect(next().status).toBe(200)
  })

  it('bans whoever goes on, for a window', () => {
    const clock = heldClock()
    const next = answererOf({ quota }, clock)
    const answers = [1, 2, 3, 4, 5, 6].map(() => next())
    expect(answers.map(({ banned }) => banned)).toEqual([false, false, false, false, false, true])
    clock.ms += 3_999
    expect(next().status).toBe(429)
    clock.ms += 4_001
    expect(next().status).toBe(200)
  })

  it('is spent by others too', () => {
    const clock = heldClock()
    const next = answererOf({ quota: { ...quota, othersPerSecond: 2 } }, clock)
    expect(next().status).toBe(200)
    clock.ms += 1_000
    expect(next().status).toBe(429)
  })
})

describe('patience', () => {
  it('serves only after the whole silence, which every request begins anew', () => {
    const clock = heldClock()
    const next = answererOf({ patience: { seconds: 4 } }, clock)
    const statuses = [0, 3_000, 3_900, 4_000].map((ms) => {
      clock.ms += ms
      return next().status
    })
    expect(statuses).toEqual([429, 429, 429, 200])
  })
})
