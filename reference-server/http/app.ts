import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Boom, boomify, isBoom } from '@hapi/boom'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { Behaviour, Call } from '../behaviour.js'
import { pipelineOf, refusalOf, whenKnown } from '../pipeline.js'
import { createMemoryStore, type SharedStore } from '../stores/store.js'
import { type Answer, writeAnswer } from './answer.js'
import { isRepeated, type RequestHead } from './bearer-keys.js'

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** The 400 to a request that names two hosts (RFC 9112 §3.2); it ends the connection. */
const twoHostsAnswer = (behaviour: Behaviour): Answer => {
  const answer = behaviour.errorAnswer(new Boom('the request names two hosts', { statusCode: 400 }))
  return { ...answer, headers: { ...answer.headers, Connection: 'close' } }
}

type Pipeline = ReturnType<typeof pipelineOf>

/** Answers a request that Node's parser could not read, with an Error body and all usual headers; then disconnects. */
const answerBrokenRequest =
  (behaviour: Behaviour, pipeline: Pipeline) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const head: RequestHead = {
      method: undefined,
      url: undefined,
      headers: {},
      rawHeaders: [],
      socket: socket as RequestHead['socket'],
    }
    const failure = new Boom('the request is not readable', { statusCode: statuses[error.code ?? ''] ?? 400 })
    const answered = whenKnown(pipeline.enter(head, undefined), (call) =>
      pipeline.complete(
        call,
        call.ruling.outcome === 'admitted' ? behaviour.errorAnswer(failure) : refusalOf(behaviour, call),
      ),
    )
    void Promise.resolve(answered).then(
      (answer) => socket.end(asText(answer)),
      () => socket.destroy(),
    )
  }

const asText = ({ status, headers, body }: Answer): string => {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, length, 'Connection: close']
  return [...head, '', String(body)].join('\r\n')
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is metered. */
    call: Call | null
  }
}

export interface AppOptions {
  /** Keeps the counts outside this process, and is closed with the app. */
  readonly shared: SharedStore | undefined
  /** How long a request's head, and the whole request, may take. Default: 10 s, 30 s. */
  readonly slowest?: { readonly headMs: number; readonly requestMs: number } | undefined
}

/** An app with this behaviour, not yet listening and without routes, and the functions by which a route answers. */
export const httpApp = (
  behaviour: Behaviour,
  { shared, slowest = { headMs: 10_000, requestMs: 30_000 } }: AppOptions,
) => {
  const pipeline = pipelineOf(behaviour, shared ?? createMemoryStore(behaviour))
  const wire = wiring(behaviour, pipeline)
  const app = Fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    keepAliveTimeout: behaviour.keepAliveMs,
    requestTimeout: slowest.requestMs,
    http: {
      headersTimeout: slowest.headMs,
      // How often Node looks for requests that take too long; its default is 30 s.
      connectionsCheckingInterval: Math.min(1_000, slowest.headMs / 2),
    },
    forceCloseConnections: 'idle',
    // While the server closes, open connections get one last normal answer.
    return503OnClosing: false,
    // The length of a head, so that the operation itself refuses a petId that is too long.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (error, request, reply) => wire.fail(error, request, reply),
    clientErrorHandler: answerBrokenRequest(behaviour, pipeline),
  })
  if (shared) app.addHook('onClose', async () => shared.close())
  app.decorateRequest('call', null)
  // Bodies are not parsed: the operation decides whether one is JSON.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(wire.fail)
  return { app, wire }
}

type Done = (error?: Error) => void
export type Wiring = ReturnType<typeof wiring>

/** Turns anything thrown into a Boom: a Boom itself, a framework's error with its status, or a bug, which is a 500. */
const toBoom = (thrown: unknown): Boom => {
  if (isBoom(thrown)) return thrown
  if (!(thrown instanceof Error)) return new Boom('something other than an Error was thrown', { statusCode: 500 })
  const status = 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : 500
  return boomify(thrown, { statusCode: status >= 400 && status < 600 ? status : 500 })
}

const wiring = (behaviour: Behaviour, pipeline: Pipeline) => {
  const answer = (reply: FastifyReply, call: Call, made: Answer): void => {
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
  /** Meters a request, and answers it if it is refused; otherwise calls `done`, with the 401 if it has no valid key. */
  const gate = (operation: string | undefined, request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const proceed = (call: Call) => {
      request.call = call
      if (call.ruling.outcome !== 'admitted') answer(reply, call, refusalOf(behaviour, call))
      else if (isRepeated('host', request.raw)) answer(reply, call, twoHostsAnswer(behaviour))
      else if (!behaviour.letsIn(call)) done(behaviour.unauthorized(call.credential))
      else done()
    }
    const entered = pipeline.enter(request.raw, operation)
    if (entered instanceof Promise) entered.then(proceed, done)
    else proceed(entered)
  }
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const failed = (boom: Boom, call: Call) => answer(reply, call, behaviour.errorAnswer(boom))
    if (request.call) failed(toBoom(error), request.call)
    // A request without an operation, or refused by the framework, has not been metered yet.
    else gate(undefined, request, reply, (refused) => request.call && failed(toBoom(refused ?? error), request.call))
  }
  return { gate, answer, fail }
}
