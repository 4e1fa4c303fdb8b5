import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inventoryUpdate } from '../../../contract/petstore/schemas.js'
import { isJsonObject, readJson } from '../../../kit/lossless-json.js'
import { invalidBodies, mostSteps, refusables, sequences } from './walk-steps.js'

it('draws only bodies that INV-5 speaks of: no JSON, no object, or a quantity that is no integer', () => {
  fc.assert(
    fc.property(invalidBodies, (body) => {
      const reading = readJson(body)
      if (!reading.ok || !isJsonObject(reading.value)) return
      // An object without quantity is INV-4's matter.
      expect(Object.keys(reading.value)).toEqual(['quantity'])
      expect(inventoryUpdate.safeParse(reading.value).success).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

it('draws no fraction that an IEEE double takes for an integer', () => {
  fc.assert(
    fc.property(invalidBodies, (body) => {
      const [, number] = /^\{"quantity":(-?[\d.]+)\}$/.exec(body) ?? []
      if (number !== undefined) expect(Number.isInteger(Number(number))).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

it('draws sequences of one to four steps that each set something, within the range or from 1 to 1,000', () => {
  const range = { low: 2_000n, high: 2_005n }
  fc.assert(
    fc.property(sequences(2, range), (steps) => {
      expect(steps.length).toBeLessThanOrEqual(mostSteps)
      const sets = steps.filter((step) => step !== 'read')
      expect(sets.length).toBeGreaterThan(0)
      for (const { set, place } of sets) {
        expect(place === 0 || place === 1).toBe(true)
        expect((set >= 1n && set <= 1_000n) || (set >= range.low && set <= range.high)).toBe(true)
      }
    }),
  )
})

it('draws ids only from those that are said to be absent', () => {
  fc.assert(
    fc.property(refusables([7n, 8n]), (steps) => {
      expect(steps.length).toBeLessThanOrEqual(mostSteps)
      for (const step of steps) if ('absentId' in step) expect([7n, 8n]).toContain(step.absentId)
    }),
  )
})
