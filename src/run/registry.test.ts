import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adviceFor, ofLimiter } from '../checks/framework/check.js'
import { areaOf, clauseOf, sentenceOfAnyQuota } from '../contract/clauses.js'
import { allChecks, checks } from './registry.js'

const source = join(import.meta.dirname, '..')

/** The files of the rooms in which checks are defined: those of any quota, and those of pets. */
const files = ['checks', 'petstore'].flatMap((room) =>
  readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('probes/'))
    .map((file) => join(source, room, file)),
)

/** Every check that a file exports, with the name that it has there. */
const defined = async (within = files): Promise<{ id: string; name: string }[]> => {
  const modules: object[] = await Promise.all(
    within.filter((file) => !/\.test\.ts$|\/testing\//.test(file)).map((file) => import(file)),
  )
  return modules
    .flatMap((module) => Object.entries(module))
    .flatMap(([name, each]) =>
      typeof each === 'object' && each !== null && 'promise' in each ? [{ id: each.id, name }] : [],
    )
}

describe('the checks', () => {
  it('have an id each, of area and name', () => {
    for (const { id } of allChecks) expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/)
    expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length)
  })

  it('are all in the list: none that a file exports is forgotten', async () => {
    expect((await defined()).map(({ id }) => id).sort()).toEqual(allChecks.map(({ id }) => id).sort())
  })

  it('are each held against answers that say nothing: each one that binds has a table, or is tried by itself', async () => {
    const tests = files
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .filter((text) => /verdictTable\(|passesOnNothing\(/.test(text))
    const names = new Map((await defined()).map(({ id, name }) => [id, name]))
    for (const { id, clauses, level } of checks) {
      if (level === 'observe' || clauses.every((each) => clauseOf(each).level === 'observe')) continue
      const name = names.get(id) ?? id
      expect(
        tests.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
        id,
      ).toBe(true)
    }
  })

  it('of pets say so, where their clause is worded for any quota: else contracts would be held to them', async () => {
    const ofPets = files.filter((file) => file.includes('/petstore/') && !/\.test\.ts$|\/testing\//.test(file))
    const ids = (await defined(ofPets)).map(({ id }) => id)
    const worded = allChecks.filter(
      ({ id, clauses: [clause] }) => ids.includes(id) && sentenceOfAnyQuota(clause) !== undefined,
    )
    expect(worded.length).toBeGreaterThan(0)
    for (const { id, of } of worded) expect(of, `${id} needs of: 'petstore'`).toBe('petstore')
  })

  it('promise something, in a sentence', () => {
    for (const { promise } of allChecks) expect(promise).toMatch(/^\S.* .*\.$/)
  })

  it('say where to look first, in a sentence of at most 20 words, whatever a broken limiter looks like', () => {
    const likenesses = [null, ...Object.keys(ofLimiter)].map((looksLike) => ({ code: 'any', facts: { looksLike } }))
    for (const { id, advice, level, clauses, sentences } of checks) {
      const observes = level === 'observe' || clauses.every((each) => clauseOf(each).level === 'observe')
      expect(advice === undefined, id).toBe(observes)
      const findings = [...likenesses, ...Object.keys(sentences ?? {}).map((code) => ({ code, facts: {} }))]
      const told = advice === undefined ? [] : findings.map((finding) => adviceFor(advice, finding))
      for (const each of told) {
        expect(each, id).toMatch(/^Check \S.* .*\.$/)
        expect(each.split(' ').length, each).toBeLessThanOrEqual(20)
      }
    }
  })

  it('cite clauses that there are, no client’s among them', () => {
    for (const { clauses } of allChecks) {
      expect(clauses.length).toBeGreaterThan(0)
      for (const id of clauses) {
        expect(clauseOf(id).id).toBe(id)
        expect(areaOf(id)).not.toBe('CLIENT')
      }
    }
  })
})
