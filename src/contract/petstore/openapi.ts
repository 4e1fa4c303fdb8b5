import { fixedQuotas } from '../plans.js'
import { components, json, rateHeaders, reference, withRateHeaders } from './openapi-components.js'
import { type Operation, type OperationId, operations } from './operations.js'

/** Where the reference server shows the document: beside the base address, so that it is no operation and needs no key. */
export const openApiPath = '/openapi.json'

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
 * The interface as an OpenAPI 3.1 document, made from the same data that the checks judge by. What the interface does
 * not show is left open. Stability (§9), deprecation (§9) and rate limits (§8) are extensions: `x-stability`,
 * `x-deprecation` and `x-rate-limits`.
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
