import { type Boom, methodNotAllowed, notFound } from '@hapi/boom'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { openApiDocument, openApiPath } from '../src/contract/petstore/openapi.js'
import { type OperationId, operations } from '../src/contract/petstore/operations.js'
import type { Behaviour, Call } from './behaviour/behaviour.js'
import { departedBehaviour } from './behaviour/departed-behaviour.js'
import { type Answer, toBoom } from './http/answer.js'
import { writeAnswer } from './http/write-answer.js'
import { createMemoryStore } from './metering/memory-store.js'
import { answerBrokenRequest, namesTwoHosts, twoHostsAnswer } from './pipeline/broken-request.js'
import { type Pipeline, pipelineOf, refusalOf } from './pipeline/pipeline.js'
import { type ReferenceServerOptions, settingsOf } from './server-options.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is metered. */
    call: Call | null
  }
  interface FastifyInstance {
    /** The prefix of all operations. */
    basePath: string
  }
}

/** The service as a Fastify app, not yet listening. Throws where an option names a fault or variation that is none. */
export const buildApp = (options: ReferenceServerOptions = {}): FastifyInstance => {
  const { slowest = { headMs: 10_000, requestMs: 30_000 } } = options
  const settings = settingsOf(options)
  const behaviour = departedBehaviour(options, settings)
  const shared = options.store?.open({
    scope: 'petstore',
    algorithms: [settings.algorithm],
    algorithmOf: () => settings.algorithm,
  })
  const pipeline = pipelineOf(behaviour, shared ?? createMemoryStore(behaviour))
  const wire = wiring(behaviour, pipeline)

  const app = Fastify({
    logger: false,
    bodyLimit: options.bodyLimitBytes ?? 64 * 1024,
    keepAliveTimeout: behaviour.keepAliveMs,
    requestTimeout: slowest.requestMs,
    http: {
      headersTimeout: slowest.headMs,
      // How often Node looks for requests that take too long; by default it does every 30 s.
      connectionsCheckingInterval: Math.min(1_000, slowest.headMs / 2),
    },
    forceCloseConnections: 'idle',
    // While the server closes, open connections get a last ordinary answer, and end with it.
    return503OnClosing: false,
    // As long as a head may be, so that the operation itself refuses a petId that is too long.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => wire.fail(error, request, reply),
    clientErrorHandler: answerBrokenRequest(behaviour, pipeline),
  })
  if (shared) app.addHook('onClose', async () => shared.close())
  app.decorate('basePath', behaviour.basePath)
  app.decorateRequest('call', null)
  // Bodies come through as they are: the operation decides whether one is JSON.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(wire.fail)
  app.setNotFoundHandler(() => {
    throw notFound('there is nothing here')
  })
  addOperations(app, behaviour, wire)
  addContractDocument(app)
  return app
}

interface Wiring {
  gate(
    operation: OperationId | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void
  answer(reply: FastifyReply, call: Call, answer: Answer): void
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): void
}

const wiring = (behaviour: Behaviour, pipeline: Pipeline): Wiring => {
  const answer: Wiring['answer'] = (reply, call, made) => {
    // Fastify would change header names and types, and is slower.
    reply.hijack()
    const completed = pipeline.complete(call, made)
    if (completed instanceof Promise) {
      completed.then(
        (last) => writeAnswer(reply.raw, call.request.method, last),
        () => reply.raw.destroy(),
      )
    } else writeAnswer(reply.raw, call.request.method, completed)
  }
  const gate: Wiring['gate'] = (operation, request, reply, done) => {
    const proceed = (call: Call) => {
      request.call = call
      if (call.ruling.outcome !== 'admitted') answer(reply, call, refusalOf(behaviour, call))
      else if (namesTwoHosts(request.raw)) answer(reply, call, twoHostsAnswer(behaviour))
      else if (!behaviour.letsIn(call)) done(behaviour.unauthorized(call.credential))
      else done()
    }
    const entered = pipeline.enter(request.raw, operation)
    if (entered instanceof Promise) entered.then(proceed, done)
    else proceed(entered)
  }
  const fail: Wiring['fail'] = (error, request, reply) => {
    const failed = (boom: Boom, call: Call) => answer(reply, call, behaviour.errorAnswer(boom))
    if (request.call) failed(toBoom(error), request.call)
    // A request of no operation, or that the framework refused, has not been metered yet.
    else gate(undefined, request, reply, (refused) => request.call && failed(toBoom(refused ?? error), request.call))
  }
  return { gate, answer, fail }
}

const methods = ['GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Each operation, and a 405 for every other method on its path. */
const addOperations = (app: FastifyInstance, behaviour: Behaviour, wire: Wiring): void => {
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
