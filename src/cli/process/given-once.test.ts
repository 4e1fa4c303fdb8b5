import { describe, expect, it } from 'vitest'
import { UsageError } from '../../kit/usage-error.js'
import { checkGivenOnce } from './given-once.js'

describe('a flag that takes one value', () => {
  it.each([
    ['an address', { target: ['http://a/v1', 'http://b/v1'] }, '--target was given twice'],
    ['a number', { seed: [1, 2, 3] }, '--seed was given 3 times'],
    ['one of several words', { 'head-timeout': [1, 2], headTimeout: [1, 2] }, '--head-timeout was given twice'],
  ])('refuses %s that came more than once, and names the flag', (_, given, told) => {
    expect(() => checkGivenOnce(given, ['key'])).toThrow(UsageError)
    expect(() => checkGivenOnce(given, ['key'])).toThrow(told)
    expect(() => checkGivenOnce(given, ['key'])).not.toThrow(/http/)
  })

  it('is no flag that may be repeated, in either spelling, and no word of the command', () => {
    const given = { _: ['run', 'a'], key: ['a', 'b'], 'of-many': ['a', 'b'], ofMany: ['a', 'b'], target: 'x' }
    expect(() => checkGivenOnce(given, ['key', 'of-many'])).not.toThrow()
  })
})
