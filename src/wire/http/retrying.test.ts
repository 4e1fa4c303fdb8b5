import { describe, expect, it } from 'vitest'
import type { Clock } from '../../kit/clock.js'
import { retrying } from './retrying.js'

const startMs = 1_767_225_600_000

/** A clock that jumps to the next moment for which anybody sleeps, once nobody has anything else to do. */
const jumpingClock = () => {
  let ms = 0
  const sleepers: { until: number; wake: () => void }[] = []
  const clock: Clock = {
    monotonicMs: () => ms,
    wallMs: () => startMs + ms,
    sleep: (forMs) => new Promise((resolve) => sleepers.push({ until: ms + forMs, wake: resolve })),
  }
  const run = async <T>(work: Promise<T>): Promise<T> => {
    let done = false
    const ended = work.finally(() => {
      done = true
    })
    ended.catch(() => undefined)
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      if (done) break
      sleepers.sort((a, b) => a.until - b.until)
      const next = sleepers.shift()
      if (!next) continue
      ms = Math.max(ms, next.until)
      next.wake()
    }
    return ended
  }
  return { clock, run }
}

type Answer = readonly [number, Record<string, string>?]

/** A fetch that answers in turn, the last for ever, each 5 ms after it was asked; and when it was asked. */
const scripted = (clock: Clock, answers: readonly Answer[] | ((at: number) => Answer)) => {
  const asked: number[] = []
  const fetch = async () => {
    const at = clock.monotonicMs()
    asked.push(at)
    const [status, headers] =
      typeof answers === 'function' ? answers(at) : answers[Math.min(asked.length, answers.length) - 1]
    await clock.sleep(5)
    return new Response('{}', { status, headers })
  }
  return { fetch: fetch as typeof globalThis.fetch, asked }
}

const play = async (answers: readonly Answer[] | ((at: number) => Answer), requests = 1, random = () => 0) => {
  const { clock, run } = jumpingClock()
  const { fetch, asked } = scripted(clock, answers)
  const patient = retrying(fetch, { clock, random })
  const all = Array.from({ length: requests }, () => patient('http://127.0.0.1/v1/inventory'))
  const responses = await run(Promise.all(all))
  return { asked, statuses: responses.map(({ status }) => status) }
}

const gaps = (asked: readonly number[]) => asked.slice(1).map((at, index) => at - asked[index] - 5)

describe('retrying', () => {
  it.each([
    ['seconds', '2', 2000],
    ['a date', new Date(startMs + 3_000).toUTCString(), 2995],
    ['a date in the form of asctime', 'Thu Jan  1 00:00:03 2026', 2995],
  ])('waits as long as %s', async (_name, text, waitMs) => {
    const { asked, statuses } = await play([[429, { 'Retry-After': text }], [200]])
    expect(gaps(asked)).toEqual([waitMs])
    expect(statuses).toEqual([200])
  })

  it.each(['0', '-5', '1.5', 'soon', new Date(startMs - 60_000).toUTCString()])(
    'backs off by itself where Retry-After is %j',
    async (text) => {
      expect(gaps((await play([[429, { 'Retry-After': text }]])).asked)).toEqual([500, 1000, 2000, 4000, 8000, 16_000])
    },
  )

  it('spreads its own waits, and what it adds to those that were named', async () => {
    expect(gaps((await play([[429]], 1, () => 0.5)).asked)[0]).toBeGreaterThan(600)
    const named = gaps((await play([[429, { 'Retry-After': '2' }], [200]], 1, () => 0.5)).asked)
    expect(named[0]).toBeCloseTo(2150)
  })

  it.each(['86400', '3000000', new Date(startMs + 86_400_000).toUTCString()])(
    'gives up rather than wait for %s, and hands the refusal on',
    async (text) => {
      const { asked, statuses } = await play([[429, { 'Retry-After': text }]])
      expect(asked).toHaveLength(1)
      expect(statuses).toEqual([429])
    },
  )

  it('holds the whole key back while one request is refused', async () => {
    const until = 2_005
    const { asked, statuses } = await play(
      (at) => (at > 0 && at < until ? [500] : at === 0 ? [429, { 'Retry-After': '2' }] : [200]),
      20,
    )
    expect(asked.filter((at) => at > 0 && at < until)).toEqual([])
    expect(statuses).toEqual(Array(20).fill(200))
  })

  it('stays clear of a limit that the headers name, however many ask at once', async () => {
    let used = 0
    let windowAt = 0
    const { asked, statuses } = await play((at) => {
      if (at >= windowAt + 4_000) [windowAt, used] = [at, 0]
      used += 1
      const reset = String(Math.ceil((startMs + windowAt + 4_000) / 1000))
      return used > 10
        ? [429, { 'Retry-After': '4' }]
        : [200, { 'X-RateLimit-Remaining': String(10 - used), 'X-RateLimit-Reset': reset }]
    }, 25)
    expect(statuses).toEqual(Array(25).fill(200))
    expect(asked).toHaveLength(25)
  })

  it('waits for Reset where a refusal names nothing else', async () => {
    const reset = String(startMs / 1000 + 3)
    expect(gaps((await play([[429, { 'X-RateLimit-Reset': reset }], [200]])).asked)).toEqual([2995])
  })

  it('hands other answers on at once', async () => {
    expect((await play([[404]])).asked).toHaveLength(1)
    expect((await play([[500]])).statuses).toEqual([500])
  })
})
