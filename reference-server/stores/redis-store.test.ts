import { describe, expect, it } from 'vitest'
import { alone } from '../testing/alone.js'
import { heldClock } from '../testing/held-clock.js'
import type { ScriptClient } from './compare-and-set.js'
import { redisStore } from './redis-store.js'
import type { Ruling } from './ruling.js'
import type { StoreFailure } from './store.js'

const redisNowMs = 1_767_225_600_000
const windows = [{ name: 'minute', limit: 60, windowMs: 60_000 }]
const charges = alone({ id: 'key', windows })

/** A client that is no Redis: what it is asked, and answers as told. */
const clientOf = (answers: readonly (() => Promise<unknown>)[]) => {
  const calls: string[] = []
  const latest: string[] = []
  let answered = 0
  const client: ScriptClient = {
    evalsha(_sha, keyCount, ...rest) {
      const [latestMs, ...changes] = rest.slice(keyCount)
      calls.push(changes.length > 0 ? 'SET' : 'READ')
      latest.push(latestMs)
      answered += 1
      return (answers[answered - 1] ?? (() => new Promise(() => {})))()
    },
    async script() {
      calls.push('LOAD')
    },
  }
  return { client, calls, latest }
}

const mark = 'sixteen-letters-'
const spent = (used: number) =>
  `${mark}{"refusals":[0,${redisNowMs},null],"meters":{"minute fixed-window-first-request 60000":{"startMs":${redisNowMs},"used":${used}}}}`
const holds = (stored: string, nowMs: number) => async () => ['changed', String(nowMs), stored]
const kept = (nowMs: number) => async () => ['kept', String(nowMs)]
const late = (nowMs: number) => async () => ['late', String(nowMs)]
const says = (reply: unknown) => async () => reply
const admitted = (nowMs: number) => [holds('', nowMs), kept(nowMs)]
const fails = (message: string) => async () => {
  throw new Error(message)
}

const storeOf = (answers: readonly (() => Promise<unknown>)[], failure: StoreFailure = 'closed') => {
  const { client, calls, latest } = clientOf(answers)
  const news: (string | undefined)[] = []
  const clock = heldClock()
  const store = redisStore(
    client,
    { scope: 'petstore', algorithmOf: () => 'fixed-window-first-request' },
    {
      prefix: 'quotaspec:',
      failure,
      timeoutMs: 5,
      slackMs: 1_000,
      time: 'redis',
      clock,
      onChange: (reason) => news.push(reason),
      close: () => {},
    },
  )
  return { store, calls, latest, news, clock }
}

const uncounted = (outcome: Ruling['outcome'], remaining: number): Ruling => ({
  outcome,
  retryAfterMs: 0,
  windows: [{ window: windows[0], remaining, resetMs: redisNowMs + 60_000, refused: false }],
  uncounted: true,
})

describe('a store on Redis', () => {
  it('decides by the time of Redis, at which it read the counts', async () => {
    const { store } = storeOf([holds('', redisNowMs + 500), kept(redisNowMs + 700)])
    expect(await store.take(charges, redisNowMs)).toEqual({
      outcome: 'admitted',
      retryAfterMs: 0,
      decidedAtMs: redisNowMs + 500,
      windows: [{ window: windows[0], remaining: 59, resetMs: redisNowMs + 60_500, refused: false }],
    })
  })

  it('decides anew where others have counted meanwhile', async () => {
    const { store, calls } = storeOf([
      holds('', redisNowMs),
      holds(spent(58), redisNowMs + 3),
      holds(spent(60), redisNowMs + 5),
    ])
    const { outcome, retryAfterMs, decidedAtMs } = await store.take(charges, redisNowMs)
    expect([outcome, retryAfterMs, decidedAtMs]).toEqual(['refused', 59_995, redisNowMs + 5])
    // A refusal changes nothing here, so there is nothing to write.
    expect(calls).toEqual(['READ', 'SET', 'SET'])
  })

  it('decides at once about all that has come for the same key while it was busy, in that order', async () => {
    const { store, calls } = storeOf([
      ...admitted(redisNowMs),
      holds(spent(57), redisNowMs),
      kept(redisNowMs),
      ...admitted(redisNowMs),
    ])
    const rulings = await Promise.all(Array.from({ length: 6 }, () => store.take(charges, redisNowMs)))
    expect(rulings.map((ruling) => `${ruling.outcome} ${ruling.windows[0].remaining}`)).toEqual([
      'admitted 59',
      ...['admitted 2', 'admitted 1', 'admitted 0'],
      ...['refused 0', 'refused 0'],
    ])
    expect(calls).toEqual(['READ', 'SET', 'READ', 'SET'])
  })

  it('sends the script to a server that does not know it, and asks again', async () => {
    const { store, calls } = storeOf([fails('NOSCRIPT No matching script.'), ...admitted(redisNowMs)])
    expect((await store.take(charges, redisNowMs)).outcome).toBe('admitted')
    expect(calls).toEqual(['READ', 'LOAD', 'READ', 'SET'])
  })

  it.each([
    ['the connection is gone', fails('Connection is closed.')],
    ['no answer comes', () => new Promise(() => {})],
    ['Redis came to it too late', late(redisNowMs)],
    ['Redis has no memory left', fails('OOM command not allowed')],
    ['the answer is none of the script', says('OK')],
    ['the answer is not about all keys', says(['changed', String(redisNowMs)])],
  ])('refuses to serve where %s, or serves uncounted if that was asked for', async (_, answer) => {
    expect(await storeOf([answer]).store.take(charges, redisNowMs)).toEqual(uncounted('unavailable', 0))
    expect(await storeOf([answer], 'open').store.take(charges, redisNowMs)).toEqual(uncounted('admitted', 60))
  })

  it('asks only once for what may have been counted', async () => {
    const { store, calls } = storeOf([holds('', redisNowMs), fails('Connection is closed.'), kept(redisNowMs)])
    await store.take(charges, redisNowMs)
    expect(calls).toEqual(['READ', 'SET'])
  })

  it('tells once that Redis is gone, and once that it is back', async () => {
    const gone = fails('Connection is closed.')
    const { store, news } = storeOf([gone, gone, ...admitted(redisNowMs), ...admitted(redisNowMs)])
    for (let asked = 0; asked < 4; asked += 1) await store.take(charges, redisNowMs)
    expect(news).toEqual(['Connection is closed.', undefined])
  })

  it('says by when Redis has to decide, in the time of Redis', async () => {
    const { store, latest, clock } = storeOf([
      ...admitted(redisNowMs),
      holds('', redisNowMs + 2_000),
      late(redisNowMs + 9_000),
      ...admitted(redisNowMs + 9_000),
    ])
    await store.take(charges, redisNowMs)
    clock.ms = 2_000
    await store.take(charges, redisNowMs)
    await store.take(charges, redisNowMs)
    const [until, untilAfter] = [redisNowMs + 2_005, redisNowMs + 9_005].map(String)
    // The fourth answer told that Redis's clock was set on.
    expect(latest).toEqual(['', String(redisNowMs + 5), until, until, untilAfter, untilAfter])
  })

  it('asks nobody about a request that is charged to nobody', async () => {
    const { store, calls } = storeOf([])
    expect(await store.take([], redisNowMs)).toEqual({ outcome: 'admitted', windows: [], retryAfterMs: 0 })
    expect(calls).toEqual([])
  })
})
