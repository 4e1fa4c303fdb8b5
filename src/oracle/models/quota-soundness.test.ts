import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { canKeep, quotaKinds, trueQuotaHistory } from '../testing/quota-histories.js'
import { explainAll } from './explain.js'

const cases = quotaKinds.flatMap((kind) =>
  modelNames.filter((model) => canKeep(model, kind)).map((model) => [model, kind] as const),
)

describe('a true history of a quota with something of its own', () => {
  it.each(cases)('of a %s (%s) is never refuted by that model', (model, kind) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { history, window } = trueQuotaHistory(model, seed, kind, 100)
        expect(explainAll(history, window)[model]).toEqual({ verdict: 'explained' })
      }),
      { numRuns: 200 },
    )
  })
})
