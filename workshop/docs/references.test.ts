import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faults } from '../../reference-server/faults/catalogue.js'
import { surfaces } from '../../src/cli/flags/all.js'
import { nameOf } from '../../src/cli/flags/command.js'
import { clauses } from '../../src/contract/clauses.js'
import { dialects, madeContract } from '../../src/readings/testing/made-contract.js'
import { checks, checksOf } from '../../src/run/registry.js'
import { references } from './references.js'

const made = references()

describe('the reference that is made from the code', () => {
  it.each(Object.entries(made))(
    'stands in docs/reference/%s.md as it is now: npm run schema writes it',
    (page, text) => {
      const saved = readFileSync(new URL(`../../docs/reference/${page}.md`, import.meta.url), 'utf8')
      const [, written] = saved.split(/<!-- (?:from|up to) here.*-->/)
      expect(written.trim()).toBe(text.trim())
    },
  )

  it('has every command with each of its flags', () => {
    for (const surface of surfaces) {
      const [, section] = made.commands.split(`\n## ${nameOf(surface)}\n`)
      for (const flag of Object.keys(surface.options ?? {}))
        expect(section.split('\n## ')[0]).toContain(`| \`--${flag}`)
    }
  })

  it('has every clause and every check once, in a row of its own', () => {
    for (const { id } of clauses) expect(made.checks.split(`\n| ${id} |`), id).toHaveLength(2)
    for (const { id } of checks) expect(made.checks.split(`\n| \`${id}\` |`), id).toHaveLength(2)
    const ofQuotas = madeContract(dialects.epoch)
    for (const { id, promise } of checksOf({ contract: ofQuotas }))
      expect(made.checks, id).toContain(`\n| \`${id.replace(/:.*/, ':QUOTA')}\` | ${promise} |`)
  })

  it('has every fault with the clauses that it breaks', () => {
    for (const { id, breaks } of faults) expect(made.faults).toContain(`\n| \`${id}\` | ${breaks.join(', ')} |`)
  })

  it('leaves no cell of a contract that comes with it empty', () => {
    expect(made['shipped-files']).not.toMatch(/\|\s+\|\n/)
  })
})
