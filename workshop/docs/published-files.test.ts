import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SchemaPart } from '../../src/kit/schema-tables.js'
import { publishedFiles, schemas } from './published-files.js'

const folder = new URL('../../schema/', import.meta.url)

/** The parts of a schema that are fields, by their path. */
const fieldsIn = (part: unknown, path: string): [string, SchemaPart][] => {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]): [string, SchemaPart][] => {
    if (key !== 'properties') return fieldsIn(value, Array.isArray(part) ? path : `${path}/${key}`)
    return Object.entries(value as Readonly<Record<string, SchemaPart>>).flatMap(([name, field]) => [
      [`${path}.${name}`, field] as [string, SchemaPart],
      ...fieldsIn(field, `${path}.${name}`),
    ])
  })
}

describe('npm run schema writes', () => {
  it.each(Object.entries(publishedFiles()))('%s as it is now', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text)
  })

  it('every file of the folder', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(publishedFiles()).sort())
  })
})

it('the schema of a report allows fields that a later version adds', () => {
  expect(JSON.stringify(schemas.report)).not.toContain('"additionalProperties":false')
})

describe('editors are told', () => {
  const fields = Object.entries(schemas).flatMap(([name, schema]) =>
    fieldsIn(schema, '').map(([path, field]): [string, string, SchemaPart] => [name, path, field]),
  )

  it.each(fields)('in a file of %s what %s means', (_name, _path, field) => {
    expect(field.description).toMatch(/[.?]$/)
  })
})
