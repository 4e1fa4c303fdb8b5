import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { trueHistory } from '../testing/scenarios.js'
import { silentHistory } from '../testing/silent-histories.js'
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

  it.each(modelNames)('of a %s with a limit of 1 to 3 is not refuted by it either', (model) => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, usedBefore) => {
        const { history, window } = trueHistory(model, seed, { leastLimit: 0.5, mostLimit: 3, usedBefore })
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

  // The seeds are those of sliding counters that began a new grid: in a silence that was shorter on the line, with a request
  // before which others had been refused, and less than a window after a refusal; and of windows that a request opened while a
  // refusal was under way, which was theirs.
  it.each(modelNames)('of a %s with silences of about a window is not refuted either', (model) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { history, window } = silentHistory(model, seed)
        expect(explain(model, history, window)).toEqual({ verdict: 'explained' })
      }),
      { numRuns: 300, examples: [[325], [350], [723], [1_290], [2_405], [14_905]] },
    )
  })
})
