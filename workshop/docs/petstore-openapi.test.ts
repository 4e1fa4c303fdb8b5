import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { openApiDocument } from './petstore-openapi.js'

const document = () => structuredClone(openApiDocument())

it('is valid OpenAPI 3.1, by the published schema', async () => {
  const validator = new Validator()
  expect(await validator.validate(document())).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('would not be valid without a title: the validator is awake', async () => {
  expect(await new Validator().validate({ ...document(), info: { version: '1' } })).toMatchObject({ valid: false })
})

it('tells stability, deprecation and rate limits in extensions', () => {
  const { paths, 'x-rate-limits': limits } = document()
  expect(paths['/inventory/{petId}']).toMatchObject({ patch: { 'x-stability': 'experimental' } })
  expect(paths['/pets/{petId}']).toMatchObject({ get: { deprecated: true, 'x-deprecation': {} } })
  expect(limits.plans).toEqual([
    { plan: 'free', requestsPerMinute: 60, requestsPerDay: 1_000 },
    { plan: 'pro', requestsPerMinute: 300, requestsPerDay: 10_000 },
    { plan: 'business', requestsPerMinute: 1_000, requestsPerDay: 100_000 },
    { plan: 'enterprise', requestsPerMinute: 'custom', requestsPerDay: 'custom' },
  ])
})

it('says of the schemas what the checks hold answers against', () => {
  expect(document().components.schemas).toMatchObject({
    InventoryItem: {
      properties: {
        petId: { type: 'integer', format: 'int64' },
        quantity: { type: 'integer' },
        status: { type: 'string', enum: ['available', 'pending', 'sold'] },
      },
      required: ['petId', 'quantity', 'status'],
    },
    InventoryUpdate: { properties: { quantity: { type: 'integer' } }, required: ['quantity'] },
    Error: {
      properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
      required: ['code', 'message', 'status'],
    },
  })
})
