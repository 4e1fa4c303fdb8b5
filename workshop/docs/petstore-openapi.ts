import { z } from 'zod'
import { type Operation, type OperationId, operations } from '../../src/contract/petstore/operations.js'
import { errorBody, integer, inventoryItem, inventoryUpdate, petId } from '../../src/contract/petstore/schemas.js'
import { fixedQuotas } from '../../src/contract/plans.js'

const reference = (kind: 'schemas' | 'responses' | 'headers', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

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
const rateHeaders = {
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
const withRateHeaders = (...further: readonly string[]) =>
  Object.fromEntries([...Object.keys(rateHeaders), ...further].map((name) => [name, reference('headers', name)]))

/** A body that is JSON (§1). */
const json = (schema: object) => ({ 'application/json': { schema } })

const errorResponse = (description: string) => ({
  description,
  headers: withRateHeaders(),
  content: json(reference('schemas', 'Error')),
})

const responses = {
  BadRequest: errorResponse('The body lacks a required field or has an invalid value (§7)'),
  Unauthorized: errorResponse('The API key is missing or invalid (§5.3)'),
  NotFound: errorResponse('There is no such resource (§7)'),
  // Whether a 429 uses the Error body is not shown, so no content is promised.
  TooManyRequests: { description: 'The rate limit is exceeded (§8.3)', headers: withRateHeaders('Retry-After') },
  NotShown: { description: 'Not shown by the interface (§4)', headers: withRateHeaders() },
}

const components = {
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

const responseNames: Readonly<Record<number, keyof typeof components.responses>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  429: 'TooManyRequests',
}

const success: Readonly<Partial<Record<OperationId, object>>> = {
  listInventory: {
    description: 'The stock level of every pet',
    headers: withRateHeaders(),
    content: json({ type: 'array', items: reference('schemas', 'InventoryItem') }),
  },
  updateInventory: {
    description: 'The updated entry',
    headers: withRateHeaders(),
    content: json(reference('schemas', 'InventoryItem')),
  },
}

const responsesOf = ({ id, statuses }: Operation) => {
  const named = statuses.map((status) => {
    const response = status === 200 ? success[id] : reference('responses', responseNames[status])
    if (!response) throw new Error(`nothing is known of a ${status} of ${id}`)
    return [status, response]
  })
  return { ...Object.fromEntries(named), ...(success[id] ? {} : { default: reference('responses', 'NotShown') }) }
}

const petIdParameter = {
  name: 'petId',
  in: 'path',
  required: true,
  description: 'The id of the pet',
  schema: { type: 'integer', format: 'int64' },
}

const operationObject = (operation: Operation) => {
  const { id, path, summary, stability, deprecated } = operation
  return {
    operationId: id,
    summary,
    tags: path.startsWith('/inventory') ? ['inventory'] : [],
    ...(path.includes('{petId}') ? { parameters: [petIdParameter] } : {}),
    ...(id === 'updateInventory'
      ? { requestBody: { required: true, content: json(reference('schemas', 'InventoryUpdate')) } }
      : {}),
    responses: responsesOf(operation),
    ...(stability ? { 'x-stability': stability } : {}),
    ...(deprecated ? { deprecated, 'x-deprecation': { sunset: 'there is a date; which one is not shown (§9)' } } : {}),
  }
}

const paths = (): Readonly<Record<string, object>> => {
  const items: Record<string, object> = {}
  for (const operation of Object.values(operations)) {
    const { path, method } = operation
    items[path] = { ...items[path], [method.toLowerCase()]: operationObject(operation) }
  }
  return items
}

const rateLimits = {
  plans: [
    ...Object.entries(fixedQuotas).map(([plan, { minute, day }]) => ({
      plan,
      requestsPerMinute: minute,
      requestsPerDay: day,
    })),
    { plan: 'enterprise', requestsPerMinute: 'custom', requestsPerDay: 'custom' },
  ],
  usage: Object.keys(rateHeaders),
  over: { status: 429, wait: 'Retry-After' },
  ban: 'Going on after a 429 may lead to a temporary ban of the key; clients back off exponentially (§8.4).',
}

/**
 * The interface as an OpenAPI 3.1 document, made from the same data that the checks use. What the interface does not show
 * is left open. Stability (§9), deprecation (§9) and rate limits (§8) are extensions: `x-stability`, `x-deprecation` and
 * `x-rate-limits`.
 */
export const openApiDocument = () => ({
  openapi: '3.1.1',
  info: {
    title: 'Petstore Service Interface',
    version: '1.0.0',
    description: 'Stock levels of pets, behind bearer keys whose plans limit requests per minute and per day.',
  },
  servers: [{ url: '/v1', description: 'Every base address ends with /v1 (§1)' }],
  tags: [{ name: 'inventory', description: 'Stock levels' }],
  security: [{ bearerAuth: [] }],
  'x-rate-limits': rateLimits,
  paths: paths(),
  components,
})
