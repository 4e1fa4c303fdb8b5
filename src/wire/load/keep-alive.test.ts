import { expect, test } from 'vitest'
import { keepAliveMs } from './line-pool.js'

test.each([
  ['timeout=5', 5000],
  ['max=100, Timeout=15', 15_000],
  ['timeout=5, max=3', 5000],
  ['timeout=x', undefined],
  ['', undefined],
])('Keep-Alive: %s', (value, ms) => {
  expect(keepAliveMs(['Connection', 'keep-alive', 'Keep-Alive', value])).toBe(ms)
})
