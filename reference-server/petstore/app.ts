import { methodNotAllowed, notFound } from '@hapi/boom'
import type { FastifyInstance } from 'fastify'
import { openApiDocument, openApiPath } from '../../src/contract/petstore/openapi.js'
import { operations } from '../../src/contract/petstore/operations.js'
import { petstore } from '../../src/contract/petstore/petstore.js'
import { windowMs } from '../../src/contract/plans.js'
import type { PetstoreBehaviour } from '../behaviour/behaviour.js'
import { departed } from '../behaviour/departed.js'
import { faults, variations } from '../faults/catalogue.js'
import { httpApp, type Wiring } from '../http/app.js'
import { healthyBehaviour } from './healthy-behaviour.js'
import { type ReferenceServerOptions, type Settings, settingsOf } from './server-options.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The prefix of all operations. */
    basePath: string
  }
}

/** The Petstore as a Fastify app, not yet listening. Throws where an option names a fault or variation that is none. */
export const buildApp = (options: ReferenceServerOptions = {}): FastifyInstance => {
  const settings = settingsOf(options)
  const behaviour = petstoreBehaviour(options, settings)
  const shared = options.store?.open({ scope: 'petstore', algorithmOf: () => settings.algorithm })
  const { app, wire } = httpApp(behaviour, { ...options, shared })
  app.decorate('basePath', behaviour.basePath)
  app.setNotFoundHandler(() => {
    throw notFound('there is nothing here')
  })
  addOperations(app, behaviour, wire)
  addContractDocument(app)
  return app
}

/** The interface as it is written, with the departures that are given. Throws where one is unknown. */
export const petstoreBehaviour = (given: ReferenceServerOptions, settings: Settings): PetstoreBehaviour => {
  const { timeScale, clock, keys, quotas } = settings
  const around = {
    contract: petstore,
    timeScale,
    minuteMs: windowMs('minute', timeScale),
    dayMs: windowMs('day', timeScale),
    keys,
    quotas,
    sleep: (ms: number) => clock.sleep(ms),
  }
  return departed((self) => healthyBehaviour(settings, self), around, { faults, variations, given })
}

const methods = ['GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Each operation, and a 405 for every other method on its path. */
const addOperations = (app: FastifyInstance, behaviour: PetstoreBehaviour, wire: Wiring): void => {
  for (const { id, method, path } of Object.values(operations)) {
    const url = behaviour.basePath + path.replace('{petId}', ':petId')
    app.route<{ Params: { petId?: string } }>({
      method,
      url,
      onRequest: (request, reply, done) => wire.gate(id, request, reply, done),
      handler(request, reply) {
        const { call, body, params } = request
        if (!call) throw new Error('a request came past the gate')
        call.petId = params.petId
        call.body = Buffer.isBuffer(body) ? body : undefined
        wire.answer(reply, call, behaviour.operations[id](call))
      },
    })
    app.route({
      method: methods.filter((each) => each !== method),
      url,
      onRequest: (request, reply, done) => wire.gate(undefined, request, reply, done),
      handler() {
        const error = methodNotAllowed('this path has no such method')
        error.output.headers.Allow = method === 'GET' ? 'GET, HEAD' : method
        throw error
      },
    })
  }
}

/**
 * Shows the interface as an OpenAPI document, beside the base address: it is no operation, so it asks for no key, is
 * not metered and carries no headers of a limit.
 */
const addContractDocument = (app: FastifyInstance): void => {
  const text = JSON.stringify(openApiDocument())
  app.get(openApiPath, (_request, reply) => {
    reply.type('application/json').send(text)
  })
}
