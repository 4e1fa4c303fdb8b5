import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { faults, variations } from '../reference-server/faults/catalogue.js'
import { conditionNames } from '../workshop/stress/conditions.js'

const page = readFileSync(new URL('../docs/explanation/stress.md', import.meta.url), 'utf8')

/** The row of a condition: how many faults it was played with, and how many variations. */
const playedUnder = (condition: string): number => {
  const cells = page.match(new RegExp(`^\\| ${condition} \\| (\\d+ .*) \\|$`, 'm'))?.[1]?.split(' | ') ?? []
  return Number(cells[0]) + Number(cells[6])
}

const missingUnder = (condition: string): string[] => {
  const line = page.match(new RegExp(`^Not played yet, [^:]*\\b${condition}\\b[^:]*: .*`, 'm'))?.[0] ?? ''
  return Array.from(line.matchAll(/`([^`]+)`/g), ([, id]) => id)
}

const catalogue: readonly string[] = [...faults, ...variations].map(({ id }) => id)

describe('the published keystone under stress', () => {
  it('says what it was played with', () => {
    expect(page).toMatch(/^Played with (commit [0-9a-f]{7,} of \d{4}-\d\d-\d\d|build [0-9a-f]{12})/m)
  })

  it.each(conditionNames)('was played, %s, with every fault and variation but those that it names', (condition) => {
    const missing = missingUnder(condition)
    expect(missing.filter((id) => !catalogue.includes(id))).toEqual([])
    expect(playedUnder(condition) + missing.length, `add to "Not played yet, ${condition}", or play it`).toBe(
      catalogue.length,
    )
  })
})
