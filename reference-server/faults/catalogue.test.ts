import { describe, expect, it } from 'vitest'
import { clauseOf, clauses } from '../../src/contract/clauses.js'
import { differsFrom, gathered, transcript } from '../testing/transcript.js'
import { faults } from './catalogue.js'

const healthy = gathered(transcript({}))

describe('the catalogue of faults', () => {
  it('has at least 70, each with an id of its own', () => {
    expect(faults.length).toBeGreaterThanOrEqual(70)
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length)
    expect(faults.filter(({ id }) => !/^[a-z][a-z0-9-]+$/.test(id))).toEqual([])
  })

  it('breaks only clauses that can fail, the first one in its own area or one that stands for it', () => {
    for (const { id, breaks } of faults) {
      expect(breaks.length, id).toBeGreaterThan(0)
      expect(
        breaks.filter((clause) => clauseOf(clause).level === 'observe'),
        id,
      ).toEqual([])
      expect(new Set(breaks).size, id).toBe(breaks.length)
    }
  })

  it('has a fault for every must and should clause that a target can break', () => {
    const broken = new Set<string>(faults.flatMap(({ breaks }) => breaks))
    const missing = clauses.filter(
      ({ id, level }) => level !== 'observe' && !id.startsWith('CLIENT') && !broken.has(id),
    )
    expect(missing.map(({ id }) => id)).toEqual([])
  })

  it('is compared with answers that come the same whenever they are asked for', async () => {
    expect(await differsFrom(transcript({}), await healthy)).toBe(false)
  })

  it.each(faults.map(({ id }) => id))('shows %s to a client', async (id) => {
    const shown = await differsFrom(transcript({ faults: [id] }), await healthy)
    expect(
      shown,
      `${id} changes no answer of reference-server/testing/transcript.ts: is it without effect, or not asked for?`,
    ).toBe(true)
  })
})
