import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SchemaPart } from '../../kit/schema-tables.js'
import { renderJsonSchema, reportJsonSchema } from '../../report/formats/json.js'
import { fileSchemas, fileTexts, publishedName } from './schema.js'

type FileName = keyof typeof fileSchemas

const root = new URL('../../../', import.meta.url)
const names = Object.keys(fileSchemas) as FileName[]

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
  it.each(names)('the schema of a file as it is now: %s', (name) => {
    const published = readFileSync(new URL(`schema/${publishedName(name)}.schema.json`, root), 'utf8')
    expect(published).toBe(fileTexts(name).json)
  })

  it('the schema of report.json as it is now', () => {
    expect(readFileSync(new URL('schema/report.schema.json', root), 'utf8')).toBe(renderJsonSchema())
  })
})

describe('editors are told', () => {
  const schemas = [
    ...names.map((name) => [name, fileSchemas[name]()] as const),
    ['report', reportJsonSchema()] as const,
  ]
  const fields = schemas.flatMap(([name, schema]) =>
    fieldsIn(schema, '').map(([path, field]): [string, string, SchemaPart] => [name, path, field]),
  )

  it.each(fields)('in a file of %s what %s means', (_name, _path, field) => {
    expect(field.description).toMatch(/[.?]$/)
  })
})
