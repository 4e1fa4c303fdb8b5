import { expect, it } from 'vitest'
import { exitCodeOf } from './exit-code.js'

it.each([
  ['pass', false, false, 0],
  ['fail', false, false, 1],
  ['inconclusive', false, false, 2],
  ['pass', false, true, 4],
  ['fail', false, true, 4],
  ['pass', true, false, 130],
  ['fail', true, true, 130],
] as const)('%s, interrupted %s, crashed %s: %d', (outcome, interrupted, crashed, code) => {
  expect(exitCodeOf(outcome, { interrupted, crashed })).toBe(code)
})
