import { describe, expect, it } from 'vitest'
import { faults } from '../../../reference-server/faults/catalogue.js'
import { plannedTrials } from './trials.js'

const idsOf = (ids: readonly string[]): string[] => plannedTrials(ids).map(({ id }) => id)

describe('the trials that are asked for', () => {
  it('are those of a fault by its own id', () => {
    expect(idsOf(['limit-plus-one'])).toEqual(['limit-plus-one'])
  })

  it('are all faults that break a clause, by that of the clause', () => {
    const ofClause = faults.filter(({ breaks }) => breaks.includes('THROTTLE-3')).map(({ id }) => id)
    expect(ofClause.length).toBeGreaterThan(1)
    expect(idsOf(['THROTTLE-3'])).toEqual(ofClause)
  })

  it('are all, variations too, where nothing is said', () => {
    expect(idsOf([]).length).toBeGreaterThan(faults.length)
  })
})
