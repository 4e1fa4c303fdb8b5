import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areaOf, findClause } from '../contract/clauses.js'
import { checks } from './all.js'

const folder = import.meta.dirname

describe('the checks', () => {
  it('have an id each, made of their folder and their file', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const { id } of checks) expect(files).toContain(`${id.replace('.', '/')}.ts`)
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  })

  it('are all in the list: no file with a check is forgotten', async () => {
    // Those of a client's audit are another list.
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.includes('/') && file.endsWith('.ts') && !/test|^client/.test(file),
    )
    const modules: object[] = await Promise.all(files.map((file) => import(join(folder, file))))
    const found = modules
      .flatMap((module) => Object.values(module))
      .flatMap((each) => (typeof each === 'object' && 'promise' in each ? [each.id] : []))
    expect(found.sort()).toEqual(checks.map(({ id }) => id).sort())
  })

  it('promise something, in a sentence', () => {
    for (const { promise } of checks) expect(promise).toMatch(/^\S.* .*\.$/)
  })

  it('cite clauses that there are, no client’s among them', () => {
    for (const { clauses } of checks) {
      expect(clauses.length).toBeGreaterThan(0)
      for (const id of clauses) {
        expect(findClause(id)).toBeDefined()
        expect(areaOf(id)).not.toBe('CLIENT')
      }
    }
  })
})
