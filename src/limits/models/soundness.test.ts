import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/any/limiter-models.js'
import { trueHistory } from '../testing/scenarios.js'
import { explain } from './explain.js'

describe('a true history', () => {
  it.each(modelNames)('of a %s is never refuted by that model, whatever the delays, losses and clocks', (model) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { history, window } = trueHistory(model, seed, { mostLimit: 200 })
        expect(explain(model, history, window)).toEqual({ verdict: 'explained' })
      }),
      { numRuns: 400 },
    )
  })

  it.each(modelNames)('of a %s that others had used before is not refuted by it either', (model) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { history, window } = trueHistory(model, seed, { mostLimit: 100, usedBefore: true })
        expect(explain(model, history, window)).toEqual({ verdict: 'explained' })
      }),
      { numRuns: 300 },
    )
  })
})
