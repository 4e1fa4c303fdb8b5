import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** A stream of random numbers that a seed determines. */
export interface Random {
  /** A whole number, both bounds included. */
  int(min: number, max: number): number
  /** A number in [0, 1). */
  float(): number
  /** One of the items, all equally likely. */
  pick<T>(items: readonly T[]): T
}

/** The seed of one part of a run, from the run's own seed and the part's name (FNV-1a). */
export const seedOfPart = (seed: number, name: string): number => {
  let hash = 0x811c9dc5
  for (const character of `${seed} ${name}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 1
}

/** The same seed gives the same numbers, on every machine. */
export const seededRandom = (seed: number): Random => {
  const generator = xoroshiro128plus(seed)
  const int = (min: number, max: number) => uniformInt(generator, min, max)
  return {
    int,
    float: () => uniformFloat64(generator),
    pick: (items) => items[int(0, items.length - 1)],
  }
}
