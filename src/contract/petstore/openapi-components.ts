import { z } from 'zod'
import { errorBody, integer, inventoryItem, inventoryUpdate, petId } from './schemas.js'

/** A reference to a component of the document. */
export const reference = (kind: 'schemas' | 'responses' | 'headers', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
const jsonSchema = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // What zod reads digit for digit, JSON Schema calls an integer: 5 and 5.0 are, "5" and 5.5 are not.
      if (zodSchema === integer) jsonSchema.type = 'integer'
      if (zodSchema === petId) Object.assign(jsonSchema, { type: 'integer', format: 'int64' })
    },
  })
  return rest
}

/** The headers of every answer (§8.1), with what each says. */
export const rateHeaders = {
  'X-RateLimit-Limit': 'A limit of the plan: its per-minute or its per-day one (§8.1)',
  'X-RateLimit-Remaining': 'What is left of that limit (§8.1)',
  'X-RateLimit-Reset': 'When the limit resets, as a Unix timestamp in seconds (§8.2)',
} as const

const headers = {
  ...Object.fromEntries(
    Object.entries(rateHeaders).map(([name, description]) => [
      name,
      { description, required: true, schema: { type: 'integer', minimum: 0 } },
    ]),
  ),
  'Retry-After': {
    description: 'When to try again. Unit and format are not shown (§8); RFC 9110 §10.2.3 has seconds and HTTP-dates.',
    required: true,
    schema: { type: 'string' },
  },
}

/** The headers of a response: those of the limit, and further ones. */
export const withRateHeaders = (...further: readonly string[]) =>
  Object.fromEntries([...Object.keys(rateHeaders), ...further].map((name) => [name, reference('headers', name)]))

/** A body that is JSON (§1). */
export const json = (schema: object) => ({ 'application/json': { schema } })

const errorResponse = (description: string) => ({
  description,
  headers: withRateHeaders(),
  content: json(reference('schemas', 'Error')),
})

/** The responses that are the same wherever they come. */
const responses = {
  BadRequest: errorResponse('The body lacks a required field or has an invalid value (§7)'),
  Unauthorized: errorResponse('The API key is missing or invalid (§5.3)'),
  NotFound: errorResponse('There is no such resource (§7)'),
  // Whether a 429 uses the Error body is not shown, so no content is promised.
  TooManyRequests: { description: 'The rate limit is exceeded (§8.3)', headers: withRateHeaders('Retry-After') },
  NotShown: { description: 'Not shown by the interface (§4)', headers: withRateHeaders() },
}

/** What the document defines once and refers to. */
export const components = {
  securitySchemes: {
    bearerAuth: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY> (§5)' },
  },
  headers,
  responses,
  schemas: {
    InventoryItem: jsonSchema(inventoryItem),
    InventoryUpdate: jsonSchema(inventoryUpdate),
    Error: jsonSchema(errorBody),
  },
}
