import { describe, expect, it } from 'vitest'
import { type Exchange, headerValues, isAnswered } from './exchange.js'

const body = { encoding: 'utf8', content: '', bytes: 0, truncated: false } as const

const base: Exchange = {
  id: 'x1',
  probe: 'hello',
  step: 'list',
  intent: {},
  key: 'free',
  credential: 'bearer',
  operation: 'listInventory',
  request: { method: 'GET', url: 'http://127.0.0.1/v1/inventory', headers: [], body: null },
  sentAt: 1,
  receivedAt: 2,
  endedAt: 3,
  response: { status: 200, reason: 'OK', headers: [], body },
  error: null,
  asksAgain: null,
}

describe('an exchange', () => {
  it.each<[string, Partial<Exchange>, boolean]>([
    ['with a response', {}, true],
    ['whose body broke off', { error: { phase: 'body', code: 'X', message: 'cut' } }, true],
    ['without a response', { response: null, receivedAt: null }, false],
    ['without a moment of receipt', { receivedAt: null }, false],
  ])('%s is answered or not', (_name, part, answered) => {
    expect(isAnswered({ ...base, ...part })).toBe(answered)
  })
})

describe('the values of a header', () => {
  const headers = [
    ['X-RateLimit-Limit', '60'],
    ['Set-Cookie', 'a'],
    ['x-ratelimit-LIMIT', '61'],
  ] as const

  it('come in order, under any letter case of the name', () => {
    expect(headerValues(headers, 'X-Ratelimit-Limit')).toEqual(['60', '61'])
    expect(headerValues(headers, 'set-cookie')).toEqual(['a'])
  })

  it('are none where the header is absent', () => {
    expect(headerValues(headers, 'X-RateLimit')).toEqual([])
  })
})
