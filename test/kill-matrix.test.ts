import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faults, variations } from '../reference-server/faults/catalogue.js'
import { clauseOf } from '../src/contract/clauses.js'
import { checks } from '../src/run/registry.js'
import { expectedDiagnoses } from '../workshop/keystone/expected-diagnosis.js'

const page = readFileSync(new URL('../docs/explanation/kill-matrix.md', import.meta.url), 'utf8')

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

describe('the published kill matrix', () => {
  it('has a row for every fault of the catalogue, with exactly the clauses that it breaks', () => {
    const published = Object.fromEntries(rows.map(([, id, clauses]) => [id.replaceAll('`', ''), clauses]))
    const known = Object.fromEntries(faults.map(({ id, breaks }) => [id, [...breaks].sort().join(', ')]))
    expect(published).toEqual(known)
  })

  it('says what each broken quota was taken for, as it has to be', () => {
    for (const [, id, , likenesses] of rows) {
      const expected = expectedDiagnoses[id.replaceAll('`', '')]?.looksLike ?? ['—']
      const allowed = expected.map((each) => each ?? 'nothing known')
      for (const likeness of likenesses.split(', ')) expect(allowed, id).toContain(likeness)
    }
  })

  it('names every conforming variation', () => {
    const named = page.slice(page.indexOf('## Conforming variations')).match(/`[^`]+`/g) ?? []
    expect([...named].sort()).toEqual(variations.map(({ id }) => `\`${id}\``).sort())
  })

  it('shows every check that judges among those that bring a fault down', () => {
    const killers = new Set(rows.flatMap(([, , , , names]) => names.split(', ')))
    const judging = checks.filter(
      (check) => check.level !== 'observe' && check.clauses.some((id) => clauseOf(id).level !== 'observe'),
    )
    expect(judging.map(({ id }) => id).filter((id) => !killers.has(id))).toEqual([])
  })

  it('shows no check that there is none of', () => {
    const killers = rows.flatMap(([, , , , names]) => names.split(', '))
    const known: readonly string[] = checks.map(({ id }) => id)
    expect(killers.filter((id) => !known.includes(id))).toEqual([])
  })
})
