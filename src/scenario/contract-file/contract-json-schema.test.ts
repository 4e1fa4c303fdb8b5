import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contractJsonSchema, renderContractSchema } from './contract-json-schema.js'

/** The parts of a schema that are fields, by their path. */
const fieldsIn = (part: unknown, path: string): [string, Record<string, unknown>][] => {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    if (key !== 'properties') return fieldsIn(value, Array.isArray(part) ? path : `${path}/${key}`)
    return Object.entries(value as Record<string, Record<string, unknown>>).flatMap(
      ([name, field]): [string, Record<string, unknown>][] => [
        [`${path}.${name}`, field],
        ...fieldsIn(field, `${path}.${name}`),
      ],
    )
  })
}

describe('the JSON Schema of a contract file', () => {
  it('is published as it is now: npm run schema writes it', () => {
    const published = readFileSync(new URL('../../../schema/contract.schema.json', import.meta.url), 'utf8')
    expect(published).toBe(renderContractSchema())
  })

  it.each(fieldsIn(contractJsonSchema(), ''))('describes %s', (_, field) => {
    expect(field.description).toMatch(/\.$/)
  })
})
