import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combine, type Verdict } from './verdict.js'

const verdicts = ['pass', 'fail', 'inconclusive', 'observed', 'not-tested'] as const

describe('the verdict of several checks', () => {
  it.each<[readonly Verdict[], Verdict]>([
    [[], 'not-tested'],
    [['not-tested', 'not-tested'], 'not-tested'],
    [['not-tested', 'observed'], 'observed'],
    [['observed', 'pass'], 'pass'],
    [['not-tested', 'pass'], 'pass'],
    [['pass', 'inconclusive', 'pass'], 'inconclusive'],
    [['inconclusive', 'fail', 'pass'], 'fail'],
  ])('of %j is %s', (each, combined) => {
    expect(combine(each)).toBe(combined)
  })

  it('is one of theirs, does not depend on their order, and never hides a failure or a doubt', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...verdicts), { minLength: 1 }), (each) => {
        const combined = combine(each)
        expect(each).toContain(combined)
        expect(combine(each.toReversed())).toBe(combined)
        if (each.includes('fail')) expect(combined).toBe('fail')
        else if (each.includes('inconclusive')) expect(combined).toBe('inconclusive')
      }),
    )
  })
})
