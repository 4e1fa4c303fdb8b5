import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../evidence/exchange.js'
import { madeExchange } from '../../evidence/testing/made-exchange.js'
import type { ProbeContext, Question } from '../probe.js'
import { hello } from './single-requests.js'

const windowMs = 60_000
/** Stands for a 200 with an empty list. */
const empty = 0

/** Plays hello against answers in turn; what it asked, and until when it waited. */
const playAgainst = async (
  answers: readonly (number | null)[],
  { retryAt, base = '/v1', hasInventory = true }: { retryAt?: number; base?: string; hasInventory?: boolean } = {},
) => {
  const asked: Question[] = []
  const waits: number[] = []
  const answer = (question: Question): Exchange => {
    asked.push(question)
    const status = answers[asked.length - 1] ?? null
    const x = madeExchange(status === empty ? { status: 200, body: '[]' } : { status })
    return { ...x, request: { ...x.request, url: `http://127.0.0.1:8080${base}/inventory` } }
  }
  const context: Partial<ProbeContext<string>> = {
    windowMs,
    hasInventory,
    now: () => 0,
    ask: async (question) => answer(question),
    waitUntil: async (at) => void waits.push(at),
    hintsOf: () => ({ limit: undefined, remaining: undefined, resetAt: undefined, retryAt }),
  }
  await hello.play(context as ProbeContext<string>, {})
  return { steps: asked.map(({ step, path }) => path ?? step), waits }
}

describe('hello', () => {
  it.each<[string, readonly (number | null)[], object, readonly string[], readonly number[]]>([
    ['once where the key is accepted', [200], {}, ['list'], []],
    ['again where the key is rejected', [401, 401], {}, ['list', 'list-again'], []],
    ['again once a short ban is over', [403, 200], { retryAt: 90_000 }, ['list', 'list-again'], [90_000]],
    ['again where the list is empty', [empty, 200], {}, ['list', 'list-again'], []],
    ['no more where an API without an inventory answers so', [empty], { hasInventory: false }, ['list'], []],
    ['no more where a ban is long', [403], { retryAt: 3_600_000 }, ['list'], []],
    ['no more where a ban names no end', [403], {}, ['list'], []],
    ['below /v1 where the address lacks it', [404, 200], { base: '' }, ['list', '/v1/inventory'], []],
    [
      'below /v1 where the key is rejected there',
      [401, 401, 200],
      { base: '/api' },
      ['list', 'list-again', '/v1/inventory'],
      [],
    ],
    ['not below /v1 where that is in the address', [404], {}, ['list'], []],
    ['not below /v1 of an API that has no inventory', [404], { base: '', hasInventory: false }, ['list'], []],
    ['not below /v1 where nobody answers', [null], { base: '' }, ['list'], []],
  ])('asks %s', async (_, answers, more, steps, waits) => {
    expect(await playAgainst(answers, more)).toEqual({ steps, waits })
    expect(steps.length).toBeLessThanOrEqual(
      hello.cost({ name: 'free', plan: 'free', quota: { limit: 60, longer: 1000 } }, {}, []).keyed,
    )
  })
})
