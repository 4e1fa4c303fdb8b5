import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openApiPath, openApiText, operations } from '../src/contract/petstore/operations.js'
import { buildApp, type ReferenceServerOptions } from './petstore-app.js'

const headerObject = z.object({ required: z.boolean(), schema: z.record(z.string(), z.unknown()) })
const responseObject = z.object({
  headers: z.record(z.string(), headerObject),
  content: z.object({ 'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }) }).optional(),
})
const operationObject = z.looseObject({ operationId: z.string(), responses: z.record(z.string(), responseObject) })
const resolved = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operationObject)) })

/** The document with every reference followed. */
const followed = async () => {
  const validator = new Validator()
  const result = await validator.validate(JSON.parse(openApiText()))
  expect(result).toEqual({ valid: true })
  return resolved.parse(validator.resolveRefs())
}

const serve = (quota: number, options: ReferenceServerOptions = {}) =>
  buildApp({
    keys: [{ plan: 'free', secret: 'free-key' }],
    quotas: { free: { minute: quota, day: 1_000 } },
    // No id that JSON.parse would round.
    inventory: [{ petId: 1n, quantity: 5n, status: 'sold' }],
    ...options,
  })

/** The routes of an app, from the tree that Fastify prints: four characters of indentation a level. */
const routesOf = (tree: string): { url: string; method: string }[] => {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indentation, part, methods] = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    if (part === undefined) return []
    const depth = indentation.length / 4
    above.splice(depth, above.length, part)
    return (methods?.split(', ') ?? []).map((method) => ({ url: above.join(''), method }))
  })
}

const bearer = { authorization: 'Bearer free-key' }
const wellFormed = { body: '{"quantity":3}', headers: { ...bearer, 'content-type': 'application/json' } }

interface Cause {
  readonly quota?: number
  readonly petId?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How each status is brought about; `{petId}` is 1 where nothing else is said. */
const causes: Readonly<Record<string, Cause>> = {
  200: {},
  400: { body: '{"quantity":"3"}' },
  401: { headers: { 'content-type': 'application/json' } },
  404: { petId: '999' },
  429: { quota: 0 },
  default: {},
}

const answerOf = async (path: string, method: string, status: string) => {
  const { quota = 60, petId = '1', ...rest }: Cause = causes[status]
  const app = serve(quota || 1)
  const url = `/v1${path.replace('{petId}', petId)}`
  if (quota === 0) await app.inject({ method: 'GET', url: '/v1/inventory', headers: bearer })
  const request = method === 'patch' ? { ...wellFormed, ...rest } : { headers: bearer, ...rest, body: undefined }
  return app.inject({ method: method === 'patch' ? 'PATCH' : 'GET', url, ...request })
}

describe('the OpenAPI document and the reference server', () => {
  it('agree on every response: its status, its headers and its body', async () => {
    const { paths } = await followed()
    const seen: string[] = []
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, { operationId, responses }] of Object.entries(item)) {
        for (const [status, { headers, content }] of Object.entries(responses)) {
          const answer = await answerOf(path, method, status)
          seen.push(`${operationId} ${status}`)
          if (status !== 'default') expect([operationId, String(answer.statusCode)]).toEqual([operationId, status])
          for (const [name, { schema }] of Object.entries(headers)) {
            const text = String(answer.headers[name.toLowerCase()])
            const value = schema.type === 'integer' ? Number(text) : text
            expect([name, z.fromJSONSchema(schema).safeParse(value).error]).toEqual([name, undefined])
          }
          if (!content) continue
          expect(answer.headers['content-type']).toBe('application/json')
          const { schema } = content['application/json']
          expect([operationId, z.fromJSONSchema(schema).safeParse(answer.json()).error]).toEqual([
            operationId,
            undefined,
          ])
        }
      }
    }
    expect(seen).toEqual([
      ...['listInventory 200', 'listInventory 401', 'listInventory 429'],
      ...[200, 400, 401, 404, 429].map((status) => `updateInventory ${status}`),
      ...['getPet 401', 'getPet 429', 'getPet default', 'listOrders 401', 'listOrders 429', 'listOrders default'],
    ])
  })

  it('agree on the routes: what is not documented is answered 405', async () => {
    const { paths } = await followed()
    const app = serve(60)
    await app.ready()
    const routes = routesOf(app.printRoutes({ commonPrefix: false }))
    const operationRoutes = Object.values(operations).map(({ method, path }) => `${method} ${path}`)
    const served = routes.map(({ method, url }) => `${method} ${url.replace('/v1', '').replace(':petId', '{petId}')}`)
    expect(served).toEqual(expect.arrayContaining(operationRoutes))
    for (const { url, method } of routes) {
      if (url === openApiPath || method === 'HEAD' || method === 'TRACE') continue
      const path = url.replace('/v1', '').replace(':petId', '{petId}')
      const isDocumented = paths[path]?.[method.toLowerCase()] !== undefined
      const answer = await app.inject({ method: method as 'GET', url: url.replace(':petId', '1'), ...wellFormed })
      expect([method, url, answer.statusCode === 405]).toEqual([method, url, !isDocumented])
    }
  })

  it('are asked for without a key, beside the base address, and nobody is charged for it', async () => {
    const app = serve(1, { anonymousPerMinute: 1 })
    for (const _ of [1, 2, 3]) {
      const answer = await app.inject({ method: 'GET', url: openApiPath })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual(JSON.parse(openApiText()))
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    }
    const counted = await app.inject({ method: 'GET', url: '/v1/inventory', headers: bearer })
    expect(counted.statusCode).toBe(200)
  })
})
