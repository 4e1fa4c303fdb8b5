import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areaOf, clauseOf } from '../contract/clauses.js'
import { checks } from './all.js'
import { adviceFor, ofLimiter } from './law/advice.js'
import { checksOfAnyQuota } from './of-contract.js'

const folder = import.meta.dirname

/** Where a check stands: what knows the bundled interface has a room of its own. */
const fileOf = (id: string): string => {
  const file = `${id.replace('.', '/')}.ts`
  return existsSync(join(folder, 'petstore', file)) ? join('petstore', file) : file
}

describe('the checks', () => {
  it('have an id each, made of their folder and their file', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const { id } of checks) expect(files).toContain(fileOf(id))
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
    const ofContracts = checksOfAnyQuota.map(({ id }) => id)
    expect(found.sort()).toEqual([...new Set([...checks.map(({ id }) => id), ...ofContracts])].sort())
  })

  it('are each held against answers that say nothing: each one that binds has a table, or is tried by itself', async () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const tests = files
      .filter((file) => file.endsWith('.test.ts') && !file.startsWith('client'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .filter((text) => /verdictTable\(|passesOnNothing\(/.test(text))
    for (const { id, clauses, level } of checks) {
      if (level === 'observe' || clauses.every((each) => clauseOf(each).level === 'observe')) continue
      const module: object = await import(join(folder, fileOf(id)))
      const [name] = Object.entries(module).find(([, value]) => value?.id === id) ?? [id]
      expect(
        tests.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
        id,
      ).toBe(true)
    }
  })

  it('promise something, in a sentence', () => {
    for (const { promise } of checks) expect(promise).toMatch(/^\S.* .*\.$/)
  })

  it('say where to look first, in a sentence of at most 20 words, whatever a broken limiter looks like', () => {
    const likenesses = [null, ...Object.keys(ofLimiter)].map((looksLike) => ({ code: 'any', facts: { looksLike } }))
    for (const { id, advice, level, clauses, sentences } of checks) {
      const observes = level === 'observe' || clauses.every((each) => clauseOf(each).level === 'observe')
      expect(advice === undefined, id).toBe(observes)
      const findings = [...likenesses, ...Object.keys(sentences ?? {}).map((code) => ({ code, facts: {} }))]
      const told = advice === undefined ? [] : findings.map((finding) => adviceFor(advice, finding))
      for (const each of told) {
        expect(each, id).toMatch(/^Look at \S.* .*\.$/)
        expect(each.split(' ').length, each).toBeLessThanOrEqual(20)
      }
    }
  })

  it('cite clauses that there are, no client’s among them', () => {
    for (const { clauses } of checks) {
      expect(clauses.length).toBeGreaterThan(0)
      for (const id of clauses) {
        expect(clauseOf(id).id).toBe(id)
        expect(areaOf(id)).not.toBe('CLIENT')
      }
    }
  })
})
