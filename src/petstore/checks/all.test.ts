import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adviceFor, ofLimiter } from '../../checks/framework/advice.js'
import { areaOf, clauseOf } from '../../contract/clauses.js'
import { checksOfAnyQuota } from '../../run/judging/checks-of-run.js'
import { checks } from './all.js'

/** Checks of any quota, and those of pets. */
const folders = [join(import.meta.dirname, '..', '..', 'checks'), import.meta.dirname]
/** Where tests of checks may stand: what several walks share has a room beside them. */
const testFolders = [folders[0], join(import.meta.dirname, '..')]

const filesIn = (places: readonly string[]): string[] =>
  places.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )

const files = filesIn(folders)

/** The file of a check: its folder and its name are the check's id. */
const fileOf = (id: string): string | undefined =>
  folders.map((folder) => join(folder, `${id.replace('.', '/')}.ts`)).find((file) => files.includes(file))

describe('the checks', () => {
  it('have an id each, made of their folder and their file', () => {
    for (const { id } of checks) expect(fileOf(id), id).toBeDefined()
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  })

  it('are all in the list: no file with a check is forgotten', async () => {
    const sources = files.filter((file) => file.endsWith('.ts') && !/test|\/all\.ts$/.test(file))
    const modules: object[] = await Promise.all(sources.map((file) => import(file)))
    const found = modules
      .flatMap((module) => Object.values(module))
      .flatMap((each) => (typeof each === 'object' && 'promise' in each ? [each.id] : []))
    const ofContracts = checksOfAnyQuota.map(({ id }) => id)
    expect(found.sort()).toEqual([...new Set([...checks.map(({ id }) => id), ...ofContracts])].sort())
  })

  it('are each held against answers that say nothing: each one that binds has a table, or is tried by itself', async () => {
    const tests = filesIn(testFolders)
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .filter((text) => /verdictTable\(|passesOnNothing\(/.test(text))
    for (const { id, clauses, level } of checks) {
      if (level === 'observe' || clauses.every((each) => clauseOf(each).level === 'observe')) continue
      const module: object = await import(fileOf(id) ?? id)
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
