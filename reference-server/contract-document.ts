import type { FastifyInstance } from 'fastify'
import { openApiDocument, openApiPath } from '../src/contract/petstore/openapi.js'

/**
 * Shows the interface as an OpenAPI document, beside the base address: it is no operation, so it asks for no key, is
 * not metered and carries no headers of a limit.
 */
export const addContractDocument = (app: FastifyInstance): void => {
  const text = JSON.stringify(openApiDocument())
  app.get(openApiPath, (_request, reply) => {
    reply.type('application/json').send(text)
  })
}
