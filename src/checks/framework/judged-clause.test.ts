import { describe, expect, it } from 'vitest'
import { inconclusive } from './finding.js'
import { burstAgain, splitAgain } from './judged-clause.js'

const again = (...defects: readonly string[]) =>
  burstAgain.settings(inconclusive('defect-may-hide', { plan: 'free', plans: ['free', 'pro'], defects }))

describe('a burst that is played again', () => {
  it('is one load on the smallest key behind one silence, where only an uncounted first request could hide', () => {
    expect(again('first-free')).toEqual({ plans: ['free'], overshoot: 1.05, end: 'load', opener: false })
  })

  it.each([
    [['first-free', 'limit+1'], { silence: 2, opener: false }],
    [['limit+1'], { silence: 2 }],
    [['race-5ms'], { silence: 2, overshoot: 2.2, connections: 150 }],
    [['lost-1-in-10'], {}],
  ])('shows %j on each plan on which it could hide', (defects, more) => {
    expect(again(...defects)).toEqual({ plans: ['free', 'pro'], overshoot: 1.05, end: 'load', ...more })
  })

  it('is none, where only the end of a window could be another: that takes loads in parts', () => {
    expect(again('window-5%', 'refusals-count')).toBeUndefined()
  })
})

describe('loads in parts that are played again', () => {
  const inParts = (...defects: readonly string[]) =>
    splitAgain.settings(inconclusive('defect-may-hide', { plan: 'free', plans: ['free', 'pro'], defects }))

  it.each([
    [['window-5%'], { plans: ['free', 'pro'] }],
    [['limit-1'], { plans: ['free', 'pro'], refills: 3 }],
    [['race-5ms', 'first-free'], undefined],
  ])('where %j could hide', (defects, expected) => {
    expect(inParts(...defects)).toEqual(expected)
  })
})
