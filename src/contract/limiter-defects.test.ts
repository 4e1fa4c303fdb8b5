import { expect, it } from 'vitest'
import { isDefectName, otherDefectName } from './limiter-models.js'

it.each(['limit+1', 'limit-4', 'limit-of-pro', 'no-limit', 'window-2%', 'lost-1-in-40', 'race-5ms'])(
  'a gate may name %s',
  (name) => expect(isDefectName(name)).toBe(true),
)

it.each(['limit', 'limit-of-PLAN', 'window-4%', 'lost-1-in-41', ''])('a gate may not name "%s"', (name) =>
  expect(isDefectName(name)).toBe(false),
)

it('says what to write instead, or all that can be named', () => {
  expect(otherDefectName('window-2')).toContain('did you mean window-2%?')
  expect(otherDefectName('somethingelse')).toContain('limit+1, limit-1, no-limit, limit-of-PLAN, window-1%')
})
