import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { type WindowName, windowLengthMs } from '../../src/contract/plans.js'
import {
  createPetstore,
  deprecationHeaders,
  errorBody,
  type ForeignOptions,
  type ForeignTarget,
  failureOf,
  Refusal,
} from './petstore.js'

type PetRequest = FastifyRequest<{ Params: { petId: string } }>

const send = (reply: FastifyReply, status: number, body: string) =>
  reply.code(status).type('application/json').send(body)

/** The service on Fastify 5 and @fastify/rate-limit, its headers as they come. */
export const startFastifyTarget = async (options: ForeignOptions): Promise<ForeignTarget> => {
  const shop = createPetstore(options)
  const callerOf = ({ headers, ip }: FastifyRequest) => shop.callerOf(headers.authorization, ip)

  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    frameworkErrors: (error, _request, reply) => {
      send(reply, 400, errorBody(400, error.message))
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = failureOf(statused(error))
    return send(reply, status, body)
  })
  app.setNotFoundHandler((_request, reply) => send(reply, 404, errorBody(404, 'there is nothing here')))

  // The day first: where both refuse, what its headers say is what a client has to wait for.
  for (const window of ['day', 'minute'] satisfies WindowName[]) {
    await app.register(rateLimit, {
      timeWindow: windowLengthMs(window, options.timeScale),
      max: (request) => callerOf(request).quota[window],
      keyGenerator: (request) => callerOf(request).id,
      errorResponseBuilder: (_request, { after }) => new Refusal(429, `too many requests, retry in ${after}`),
    })
  }
  // The limiter works in onRequest, the body is read after preParsing: a key is asked for in between.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404 || callerOf(request).isKnown) return
    reply.header('WWW-Authenticate', 'Bearer')
    throw new Refusal(401, 'the API key is missing or unknown')
  })
  app.get('/v1/inventory', (_request, reply) => send(reply, 200, shop.list()))
  app.patch('/v1/inventory/:petId', ({ params, body }: PetRequest, reply) =>
    send(reply, 200, shop.update(params.petId, typeof body === 'string' ? body : '')),
  )
  app.get('/v1/pets/:petId', ({ params }: PetRequest, reply) =>
    send(reply.headers(deprecationHeaders), 200, shop.pet(params.petId)),
  )
  app.get('/v1/store/orders', (_request, reply) => send(reply, 200, shop.orders()))

  return { url: `${await app.listen({ port: 0, host: '127.0.0.1' })}/v1`, close: () => app.close() }
}

/** Fastify's own errors say `statusCode`. */
const statused = (error: unknown): unknown =>
  error instanceof Error && 'statusCode' in error ? new Refusal(Number(error.statusCode), error.message) : error
