import { expect, test } from 'vitest'
import { askGently, mostRequests } from './ask-gently.js'

type Turn = Parameters<Parameters<typeof askGently>[0]['send']>[0]

import type { SeenAnswer } from './seen-fields.js'

const played = async (
  statusOf: (nth: number, turn: Turn) => number | undefined,
  { probes = ['items', 'search', 'users'], credentials = ['key'], renewedInMs = undefined as number | undefined } = {},
) => {
  const log: string[] = []
  let [now, underWay] = [0, 0]
  const result = await askGently({
    probes,
    credentials,
    clock: {
      sleep: async (ms) => {
        now += ms
        log.push(`${ms}`)
      },
    },
    untilRenewed: () => renewedInMs,
    send: async (turn) => {
      underWay += 1
      expect(underWay).toBe(1)
      const status = statusOf(log.filter((each) => !/^\d+$/.test(each)).length + 1, turn)
      log.push(turn.credential === (credentials[0] ?? null) ? turn.probe : `${turn.probe}/${turn.credential ?? 'anon'}`)
      await Promise.resolve()
      underWay -= 1
      return status === undefined
        ? undefined
        : ({ ...turn, sentAt: now, receivedAt: now, status, headers: [] } satisfies SeenAnswer)
    },
  })
  return { ...result, log, asked: log.filter((each) => !/^\d+$/.test(each)) }
}

test.each([1, 2, 3])(
  '%i paths take 20 requests at most, one at a time, with a pause before each but the first',
  async (count) => {
    const { requests, asked, log } = await played(() => 200, {
      probes: ['items', 'search', 'users'].slice(0, count),
      renewedInMs: 100,
    })
    expect(requests).toBeLessThanOrEqual(mostRequests)
    expect(asked).toHaveLength(requests)
    log.forEach((each, at) => {
      if (at > 0 && !/^\d+$/.test(each)) expect(Number(log[at - 1])).toBeGreaterThanOrEqual(500)
    })
  },
)

test('the first path is asked for again behind each other one, and without the credential', async () => {
  const { asked } = await played(() => 200, { probes: ['items', 'search'] })
  expect(asked.join(' ')).toBe(
    'items items items items items search search search items items items/anon items/anon items',
  )
})

test('a second credential is asked with between two answers of the first', async () => {
  const { asked } = await played(() => 200, { probes: ['items'], credentials: ['key', 'other'] })
  expect(asked.slice(5).join(' ')).toBe('items/other items/other items items/anon items/anon items')
})

test('without a credential nothing is asked twice for that', async () => {
  const { asked } = await played(() => 200, { probes: ['items'], credentials: [] })
  expect(asked).toEqual(Array(5).fill('items'))
})

test.each([429, 503, 403])('nothing is asked after the first %i', async (status) => {
  const { requests, ended } = await played((nth) => (nth === 4 ? status : 200), { renewedInMs: 100 })
  expect(requests).toBe(4)
  expect(ended).toBe(`request 4 was answered ${status}`)
})

test('a 403 or 401 without the credential is no refusal', async () => {
  const { ended, asked } = await played((_, { credential }) => (credential === null ? 403 : 200), { probes: ['items'] })
  expect(ended).toBeUndefined()
  expect(asked).toHaveLength(8)
})

test.each<[string, number | undefined]>([
  ['no answer', undefined],
  ['a 500', 500],
])('nothing is asked after %s twice in a row', async (_, status) => {
  const { requests, ended } = await played((nth) => (nth >= 3 ? status : 200))
  expect(requests).toBe(4)
  expect(ended).toMatch(/got no answer, or a 5xx/)
})

test.each<[number | undefined, boolean]>([
  [3000, true],
  [60_000, false],
  [undefined, false],
])('a window that ends in %s ms is waited for: %s', async (renewedInMs, waited) => {
  const { log } = await played(() => 200, { probes: ['items'], renewedInMs })
  expect(log.includes('4500')).toBe(waited)
  expect(log.filter((each) => each === 'items')).toHaveLength(waited ? 8 : 6)
})
