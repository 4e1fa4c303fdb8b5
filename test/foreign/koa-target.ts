import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import ratelimit from 'koa-ratelimit'
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

const mostBytes = 64 * 1024

const send = (context: Context, status: number, body: string) => {
  context.status = status
  context.type = 'application/json'
  context.body = body
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= mostBytes) chunks.push(chunk)
  }
  if (bytes > mostBytes) throw new Refusal(413, 'the body is too large')
  return Buffer.concat(chunks).toString()
}

/** The service on Koa 3 and koa-ratelimit with its memory store, its headers and its 429 as they come. */
export const startKoaTarget = async (options: ForeignOptions): Promise<ForeignTarget> => {
  const shop = createPetstore(options)
  const callerOf = (context: Context) => shop.callerOf(context.get('authorization'), context.ip)

  // koa-ratelimit takes one limit, so each limit that a caller may have gets a limiter of its own.
  const limiters = new Map<string, Middleware>()
  const limit =
    (window: WindowName): Middleware =>
    (context, next) => {
      const max = callerOf(context).quota[window]
      const name = `${window} ${max}`
      const limiter =
        limiters.get(name) ??
        ratelimit({
          driver: 'memory',
          db: new Map(),
          duration: windowLengthMs(window, options.timeScale),
          max,
          id: (each) => callerOf(each).id,
        })
      limiters.set(name, limiter)
      return limiter(context, next)
    }

  const router = new Router({ prefix: '/v1' })
  router.get('/inventory', (context) => send(context, 200, shop.list()))
  router.patch('/inventory/:petId', async (context) =>
    send(context, 200, shop.update(context.params.petId, await bodyOf(context.req))),
  )
  router.get('/pets/:petId', (context) => {
    context.set(deprecationHeaders)
    send(context, 200, shop.pet(context.params.petId))
  })
  router.get('/store/orders', (context) => send(context, 200, shop.orders()))

  const app = new Koa()
  // Koa's own answer to an error drops the headers that were set before it.
  app.use(async (context, next) => {
    try {
      await next()
    } catch (error) {
      const { status, body } = failureOf(error)
      send(context, status, body)
    }
  })
  app.use(limit('day')).use(limit('minute'))
  app.use(async (context, next) => {
    if (callerOf(context).isKnown) {
      await next()
      return
    }
    context.set('WWW-Authenticate', 'Bearer')
    send(context, 401, errorBody(401, 'the API key is missing or unknown'))
  })
  app.use(router.routes())
  app.use((context) => send(context, 404, errorBody(404, 'there is nothing here')))

  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
