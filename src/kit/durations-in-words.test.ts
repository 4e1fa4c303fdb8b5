import { expect, it } from 'vitest'
import { formatClosely, formatDuration, formatWholeSeconds } from './words.js'

it.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [4_000, '4.0 s'],
  [59_949, '59.9 s'],
  [59_999, '1 min'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_599_700, '1 h'],
  [7_200_000, '2 h'],
  [12_000_000, '3 h 20 min'],
  [86_400_000, '24 h'],
  [4 * 86_400_000, '96 h'],
  [4 * 86_400_000 + 3_600_000, '4 days 1 h'],
  [5 * 86_400_000, '5 days'],
  [365 * 86_400_000, '365 days'],
  [999 * 365 * 86_400_000, '364,635 days'],
  [1_000 * 365 * 86_400_000, 'more than 1,000 years'],
  [1e300, 'more than 1,000 years'],
  [Number(`1${'0'.repeat(400)}`) * 1000, 'more than 1,000 years'],
])('writes %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

it.each([
  [1, '1 s'],
  [9_000, '9 s'],
  [9_001, '10 s'],
  [59_100, '1 min'],
  [124_400, '2 min 5 s'],
])('bounds %d ms by %s', (ms, text) => {
  expect(formatWholeSeconds(ms)).toBe(text)
})

it.each([
  [5_966, '5.97 s'],
  [6_000, '6.0 s'],
  [45_003, '45.0 s'],
  [59_970, '59.97 s'],
  [970, '970 ms'],
  [60_000, '1 min'],
])('writes %d ms closely as %s', (ms, text) => {
  expect(formatClosely(ms)).toBe(text)
})
