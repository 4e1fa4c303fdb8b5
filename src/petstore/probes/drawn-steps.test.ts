import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inventoryUpdate } from '../../contract/petstore/schemas.js'
import { isJsonObject, readJson } from '../../kit/json.js'
import { type BoundedSearch, invalidBodies, mostSteps, refusables, searchWithin, sequences } from './drawn-steps.js'

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

type Broken = 'sure' | 'doubtful'

interface Target {
  readonly seed?: number
  readonly requests?: number
  readonly breaks?: (items: readonly number[]) => Broken | undefined
  readonly examples?: readonly number[][]
}

/** A target that counts what it is sent, a request for each item. */
const searching = async ({ seed = 1, requests = 60, breaks = () => undefined, examples }: Target = {}) => {
  const tried: (readonly number[])[] = []
  let sent = 0
  let controls = 0
  const search: BoundedSearch<number[], Broken> = {
    arbitrary: fc.array(fc.nat(100), { minLength: 1, maxLength: 4 }),
    examples,
    seed,
    requests,
    cost: (items) => items.length,
    sent: () => sent,
    async play(items) {
      tried.push(items)
      sent += items.length
      return breaks(items)
    },
    isDoubtful: (broken) => broken === 'doubtful',
    async control() {
      sent += 1
      controls += 1
    },
  }
  const left = await searchWithin(search)
  return { tried, sent, controls, left }
}

const anyOver = (limit: number, as: Broken) => (items: readonly number[]) =>
  items.some((item) => item > limit) ? as : undefined

describe('a bounded search', () => {
  it('plays its examples before anything that is drawn', async () => {
    const { tried } = await searching({ examples: [[7, 7], [8]] })
    expect(tried.slice(0, 2)).toEqual([[7, 7], [8]])
    expect(tried.length).toBeGreaterThan(2)
  })

  it('never sends more than its means, whatever breaks', async () => {
    const targets = fc.record({ seed: fc.nat(), requests: fc.nat(80), limit: fc.nat(100), isSure: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(targets, async ({ seed, requests, limit, isSure }) => {
        const { sent, left } = await searching({ seed, requests, breaks: anyOver(limit, isSure ? 'sure' : 'doubtful') })
        expect(sent).toBeLessThanOrEqual(requests)
        expect(left).toBe(requests - sent)
      }),
    )
  })

  it('shrinks what breaks to the smallest input that does', async () => {
    const { tried } = await searching({ requests: 500, breaks: anyOver(40, 'sure') })
    expect(tried.filter((items) => items.some((item) => item > 40)).at(-1)).toEqual([41])
  })

  it('plays what is doubtful once more, between two controls, and what is sure not', async () => {
    const doubtful = await searching({ requests: 500, breaks: anyOver(40, 'doubtful') })
    expect([doubtful.tried.at(-1), doubtful.controls]).toEqual([[41], 2])
    expect((await searching({ requests: 500, breaks: anyOver(40, 'sure') })).controls).toBe(0)
  })

  it('keeps to what was broken first: another breach does not lead the shrinking away', async () => {
    const breaks = (items: readonly number[]) => (items.length > 1 ? 'doubtful' : items[0] > 20 ? 'sure' : undefined)
    const { tried } = await searching({ seed: 3, requests: 500, breaks })
    const first = tried.map(breaks).find((each) => each !== undefined)
    expect(tried.map(breaks).at(-1)).toBe(first)
  })

  it('tries the same for the same seed, and something else for another', async () => {
    expect((await searching({ seed: 5 })).tried).toEqual((await searching({ seed: 5 })).tried)
    expect((await searching({ seed: 5 })).tried).not.toEqual((await searching({ seed: 6 })).tried)
  })

  it('sends nothing more once playing has failed, and throws what was thrown', async () => {
    let played = 0
    const breaks = () => {
      played += 1
      throw new Error('interrupted')
    }
    await expect(searching({ breaks })).rejects.toThrow('interrupted')
    expect(played).toBe(1)
  })
})
