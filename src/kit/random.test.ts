import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom, seedOfPart } from './random.js'

describe('seeded randomness', () => {
  it('is the same for the same seed, on every machine', () => {
    const random = seededRandom(42)
    expect([random.int(0, 999), random.int(0, 999), random.int(0, 999)]).toEqual([605, 225, 535])
    const [one, other] = [seededRandom(7), seededRandom(7)]
    expect(Array.from({ length: 20 }, () => one.float())).toEqual(Array.from({ length: 20 }, () => other.float()))
  })

  it('differs between seeds', () => {
    const firsts = Array.from({ length: 20 }, (_, seed) => seededRandom(seed + 1).int(0, 2 ** 31))
    expect(new Set(firsts).size).toBe(firsts.length)
  })

  it('has for each part of a run a seed of its own, which is the same each time', () => {
    expect(seedOfPart(7, 'unknown-pet free')).toBe(seedOfPart(7, 'unknown-pet free'))
    const names = ['unknown-pet free', 'unknown-pet pro', 'burst free']
    const seeds = names.flatMap((name) => [seedOfPart(7, name), seedOfPart(8, name)])
    expect(new Set(seeds).size).toBe(seeds.length)
  })

  it('keeps to the bounds, both included, and picks only what is there', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, min, width) => {
        const random = seededRandom(seed)
        const int = random.int(min, min + width)
        expect(int >= min && int <= min + width).toBe(true)
        const float = random.float()
        expect(float >= 0 && float < 1).toBe(true)
        expect(['a', 'b', 'c']).toContain(random.pick(['a', 'b', 'c']))
      }),
    )
  })

  it('picks each item sooner or later', () => {
    const random = seededRandom(1)
    expect(new Set(Array.from({ length: 200 }, () => random.pick([1, 2, 3, 4, 5]))).size).toBe(5)
  })
})
