import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateCeiling } from './pacer.js'

/** When requests go out that come to the ceiling at these moments, in order. */
const goneOut = (perSecond: number, wishedMs: readonly number[]): number[] => {
  const ceiling = new RateCeiling(perSecond)
  let now = 0
  return wishedMs.map((wished) => {
    now = Math.max(now, wished)
    now += ceiling.waitMs(now)
    ceiling.went(now)
    return now
  })
}

describe('a ceiling of a rate', () => {
  it.each([
    ['lets one go after the other, however many are due', 2, [0, 0, 0], [0, 495, 995]],
    ['does not touch what keeps the rate', 10, [0, 100, 200, 300], [0, 100, 200, 300]],
    ['below one a second lets one go each time', 0.5, [0, 0, 0], [0, 1995, 3995]],
    ['makes up for a late wake', 10, [0, 103, 200, 300], [0, 103, 200, 300]],
    ['makes up for no stall', 10, [0, 900, 900, 900], [0, 900, 995, 1095]],
  ])('%s', (_, perSecond, wished, gone) => {
    expect(goneOut(perSecond, wished)).toEqual(gone)
  })

  it('holds in any second, whatever comes when', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ max: 3_000 })), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), gaps, (perSecond, given) => {
        let at = 0
        const gone = goneOut(
          perSecond,
          given.map((gap) => (at += Math.max(0, gap))),
        )
        for (const from of gone)
          expect(gone.filter((each) => each >= from && each < from + 1000).length).toBeLessThanOrEqual(perSecond + 1)
      }),
    )
  })
})
