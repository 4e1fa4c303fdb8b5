import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contractFaults, contractVariations } from '../reference-server/faults/catalogue.js'
import { brokenOf } from '../reference-server/faults/fault.js'
import { blocking, leakyBucket, twoPolicies } from '../reference-server/testing/keystone-contracts.js'
import { checksOf } from '../src/run/registry.js'
import { matrixOf } from '../workshop/keystone/pages.js'

/** Those that were played whole. */
const published = [blocking, leakyBucket, twoPolicies]

const page = readFileSync(new URL('../docs/explanation/kill-matrix-contracts.md', import.meta.url), 'utf8')

const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

describe('the published kill matrices of contracts', () => {
  it('are those of the contracts on which every fault was played', () => {
    const titles = Array.from(page.matchAll(/^## (.*)/gm), ([, name]) => name)
    expect(titles.sort()).toEqual(published.map(({ name }) => name).sort())
  })

  describe.each(published.map((contract) => [contract.name, contract] as const))('of %s', (name, contract) => {
    const section = matrixOf(page, name)
    const isMeant = ({ appliesTo }: { appliesTo(each: typeof contract): boolean }) => appliesTo(contract)

    it('have a row for every fault that means something to it, with exactly the clauses that it breaks', () => {
      const shown = Object.fromEntries(rowsOf(section).map(([, id, clauses]) => [id.replaceAll('`', ''), clauses]))
      const known = contractFaults
        .filter(isMeant)
        .map((fault) => [fault.id, brokenOf(fault, contract).sort().join(', ')])
      expect(shown).toEqual(Object.fromEntries(known))
    })

    it('name every conforming variation of it', () => {
      const named = section.slice(section.indexOf('### Conforming variations')).match(/`[^`]+`/g) ?? []
      expect([...named].sort()).toEqual(
        contractVariations
          .filter(isMeant)
          .map(({ id }) => `\`${id}\``)
          .sort(),
      )
    })

    it('show no check that it is not judged by', () => {
      const known = checksOf({ contract }).map(({ id }) => id)
      const killers = rowsOf(section).flatMap(([, , , , names]) => names.split(', '))
      expect(killers.filter((id) => !known.includes(id))).toEqual([])
    })
  })
})
