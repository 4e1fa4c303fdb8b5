import { randomInt } from 'node:crypto'

const mostSeed = 2 ** 32

/** A hash of 53 bits (cyrb53, by bryc): a cryptographic one for each line takes longer than all else that is done with it. */
const hash53 = (text: string, seed: number): number => {
  let [one, two] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i)
    one = Math.imul(one ^ character, 2654435761)
    two = Math.imul(two ^ character, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 4294967296 * (2097151 & two) + (one >>> 0)
}

/**
 * Numbers keys in the order in which they come. A key is hashed as it is read, twice, so that no two are taken for one, with seeds that are
 * drawn anew for each ring and never told: no key is kept, and nothing that leaves the process is made of one.
 */
export const keyRing = () => {
  const [seed, second] = [randomInt(mostSeed), randomInt(mostSeed)]
  const numbers = new Map<number, number>()
  const alike = new Map<string, number>()
  const checks: number[] = [Number.NaN]
  return {
    /** The number of a key: the same for the same text, from 1 on; 0 for none. */
    numberOf(text: string): number {
      if (text === '' || text === '-') return 0
      const [hashed, check] = [hash53(text, seed), hash53(text, second)]
      const known = numbers.get(hashed)
      if (known !== undefined && checks[known] === check) return known
      const both = `${hashed} ${check}`
      const other = known === undefined ? undefined : alike.get(both)
      if (other !== undefined) return other
      const number = checks.push(check) - 1
      if (known === undefined) numbers.set(hashed, number)
      else alike.set(both, number)
      return number
    },
  }
}
