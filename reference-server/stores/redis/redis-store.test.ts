import { describe, expect, it } from 'vitest'
import type { Ruling } from '../../metering/ruling.js'
import { heldClock } from '../../testing/held-clock.js'
import type { StoreFailure } from '../unavailable.js'
import { redisStore } from './redis-store.js'
import type { ScriptClient } from './script-runner.js'

const redisNowMs = 1_767_225_600_000
const subject = { id: 'key', windows: [{ name: 'minute', limit: 60, lengthMs: 60_000 }] }
const admitted = (nowMs: number) => `admitted 0 ${nowMs} 59 ${nowMs + 60_000} 0`

/** A client that is no Redis: what it is asked, and answers as told. */
const clientOf = (answers: readonly (() => Promise<unknown>)[]) => {
  const calls: string[] = []
  const asked: { readonly latestMs?: number }[] = []
  let answered = 0
  const client: ScriptClient = {
    evalsha(_sha, keyCount, ...rest) {
      calls.push('EVALSHA')
      asked.push(JSON.parse(rest[keyCount]))
      answered += 1
      return (answers[answered - 1] ?? (() => new Promise(() => {})))()
    },
    async script() {
      calls.push('LOAD')
    },
  }
  return { client, calls, asked }
}

const says = (text: string) => async () => text
const fails = (message: string) => async () => {
  throw new Error(message)
}

const storeOf = (answers: readonly (() => Promise<unknown>)[], failure: StoreFailure = 'closed') => {
  const { client, calls, asked } = clientOf(answers)
  const news: (string | undefined)[] = []
  const clock = heldClock()
  const store = redisStore(
    client,
    { scope: 'petstore', algorithms: ['gcra'], algorithmOf: () => 'gcra' },
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
  return { store, calls, asked, news, clock }
}

const uncounted = (outcome: Ruling['outcome'], remaining: number): Ruling => ({
  outcome,
  retryAfterMs: 0,
  windows: [{ window: subject.windows[0], remaining, resetMs: redisNowMs + 60_000, refused: false }],
  uncounted: true,
})

describe('a store on Redis', () => {
  it('decides by the time of Redis', async () => {
    const { store } = storeOf([says(admitted(redisNowMs + 500))])
    expect(await store.take(subject, redisNowMs)).toEqual({
      outcome: 'admitted',
      retryAfterMs: 0,
      decidedAtMs: redisNowMs + 500,
      windows: [{ window: subject.windows[0], remaining: 59, resetMs: redisNowMs + 60_500, refused: false }],
    })
  })

  it('sends the script to a server that does not know it, and asks again', async () => {
    const { store, calls } = storeOf([fails('NOSCRIPT No matching script.'), says(admitted(redisNowMs))])
    expect((await store.take(subject, redisNowMs)).outcome).toBe('admitted')
    expect(calls).toEqual(['EVALSHA', 'LOAD', 'EVALSHA'])
  })

  it.each([
    ['the connection is gone', fails('Connection is closed.')],
    ['no answer comes', () => new Promise(() => {})],
    ['Redis came to it too late', says(`late 0 ${redisNowMs}`)],
    ['Redis has no memory left', fails('OOM command not allowed')],
    ['the answer is none of the script', says('admitted 0 1')],
    ['the answer names no outcome', says(`perhaps 0 1 59 ${redisNowMs} 0`)],
  ])('refuses to serve where %s, or serves uncounted if that was asked for', async (_, answer) => {
    expect(await storeOf([answer]).store.take(subject, redisNowMs)).toEqual(uncounted('unavailable', 0))
    expect(await storeOf([answer], 'open').store.take(subject, redisNowMs)).toEqual(uncounted('admitted', 60))
  })

  it('asks only once for what may have been counted', async () => {
    const { store, calls } = storeOf([fails('Connection is closed.'), says(admitted(redisNowMs))])
    await store.take(subject, redisNowMs)
    expect(calls).toEqual(['EVALSHA'])
  })

  it('tells once that Redis is gone, and once that it is back', async () => {
    const gone = fails('Connection is closed.')
    const { store, news } = storeOf([gone, gone, says(admitted(redisNowMs)), says(admitted(redisNowMs))])
    for (let asked = 0; asked < 4; asked += 1) await store.take(subject, redisNowMs)
    expect(news).toEqual(['Connection is closed.', undefined])
  })

  it('says by when Redis has to decide, in the time of Redis', async () => {
    const { store, asked, clock } = storeOf([
      says(admitted(redisNowMs)),
      says(`late 0 ${redisNowMs + 9_000}`),
      says(admitted(redisNowMs + 9_000)),
    ])
    await store.take(subject, redisNowMs)
    clock.ms = 2_000
    await store.take(subject, redisNowMs)
    await store.take(subject, redisNowMs)
    // The second answer told that Redis's clock was set on.
    expect(asked.map(({ latestMs }) => latestMs)).toEqual([undefined, redisNowMs + 2_005, redisNowMs + 9_005])
  })

  it('asks nobody about a request that is charged to nobody', async () => {
    const { store, calls } = storeOf([])
    expect(await store.takeJointly([], redisNowMs)).toEqual({ outcome: 'admitted', windows: [], retryAfterMs: 0 })
    expect(calls).toEqual([])
  })
})
