import { expect, it } from 'vitest'
import { valueInWords } from './schema-tables.js'

it.each([
  [{ type: 'string' }, 'text'],
  [{ type: ['string', 'null'] }, 'text or null'],
  [{ type: ['integer', 'null'], minimum: 1, maximum: 500 }, 'a whole number from 1 to 500 or null'],
  [{ type: ['string', 'number'] }, 'text or a number'],
  [{ anyOf: [{ properties: {} }, { type: 'null' }] }, 'fields, see below; or null'],
])('%j is told as what may stand there', (part, words) => {
  expect(valueInWords(part)).toBe(words)
})
