import { describe, expect, it } from 'vitest'
import { areaOf, areas, type ClauseId, clauseOf, clauses } from './clauses.js'

/** The ids and levels of the interface: they are permanent, so they stand here once more, by area and level. */
const permanent = {
  must:
    'BASE-1 BASE-2 SCHEMA-1 SCHEMA-2 SCHEMA-3 INV-1 INV-2 INV-3 INV-4 INV-5 INV-6 INV-7 INV-8 INV-9 ' +
    'AUTH-1 AUTH-2 AUTH-3 AUTH-4 AUTH-5 AUTH-6 ERR-1 ERR-2 RATE-1 RATE-2 RATE-3 RATE-4 RATE-5 RATE-6 ' +
    'QUOTA-1 QUOTA-2 QUOTA-3 QUOTA-4 QUOTA-5 QUOTA-6 THROTTLE-1 THROTTLE-2 THROTTLE-4 THROTTLE-6 ' +
    'CLIENT-1 CLIENT-2 CLIENT-5',
  should: 'AUTH-7 AUTH-8 AUTH-9 ERR-3 ERR-5 RATE-7 THROTTLE-3 THROTTLE-5 THROTTLE-8 VER-1 CLIENT-3 CLIENT-4',
  observe: 'SCHEMA-4 INV-10 INV-11 INV-12 ERR-4 ERR-6 QUOTA-7 QUOTA-8 QUOTA-9 THROTTLE-7 VER-2',
} as const

describe('the clauses', () => {
  it.each(Object.entries(permanent))('that are %s are these, by their permanent ids', (level, ids) => {
    const found = clauses.filter((clause) => clause.level === level).map(({ id }) => id)
    expect(found).toEqual(ids.split(' '))
  })

  it('come each once, with a source and a sentence of its own', () => {
    expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length)
    expect(new Set(clauses.map(({ sentence }) => sentence)).size).toBe(clauses.length)
    for (const { source, sentence } of clauses) {
      expect(source).not.toBe('')
      expect(sentence).toMatch(/^[A-Z].*\.$|^[a-z]\w+ .*\.$/)
    }
  })

  it('are found by id, and nothing else is', () => {
    expect(clauseOf('RATE-5')).toBe(clauses.find(({ id }) => id === 'RATE-5'))
    expect(() => clauseOf('RATE-99' as ClauseId)).toThrow('no clause RATE-99')
  })

  it('belong each to an area, and no area is empty', () => {
    expect(new Set(clauses.map(({ id }) => areaOf(id)))).toEqual(new Set(Object.keys(areas)))
    expect(areaOf('THROTTLE-4')).toBe('THROTTLE')
  })
})
