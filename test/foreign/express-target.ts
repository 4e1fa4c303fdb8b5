import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express'
import { ipKeyGenerator, rateLimit } from 'express-rate-limit'
import { type WindowName, windowLengthMs } from '../../src/contract/plans.js'
import {
  createPetstore,
  deprecationHeaders,
  errorBody,
  type ForeignOptions,
  type ForeignTarget,
  failureOf,
} from './petstore.js'

const send = (response: Response, status: number, body: string) => {
  response.status(status).type('application/json').send(body)
}

/** The service on Express 5 and express-rate-limit with its legacy headers, mounted before or after authentication. */
export const startExpressTarget = async (
  options: ForeignOptions & { readonly limits: 'before-auth' | 'after-auth' },
): Promise<ForeignTarget> => {
  const shop = createPetstore(options)
  const callerOf = ({ headers, ip = '' }: express.Request) => shop.callerOf(headers.authorization, ipKeyGenerator(ip))

  const limiter = (window: WindowName): RequestHandler =>
    rateLimit({
      windowMs: windowLengthMs(window, options.timeScale),
      limit: (request) => callerOf(request).quota[window],
      keyGenerator: (request) => callerOf(request).id,
      legacyHeaders: true,
      standardHeaders: false,
      handler: (_request, response) => send(response, 429, errorBody(429, 'too many requests')),
    })
  const authenticate: RequestHandler = (request, response, next) => {
    if (callerOf(request).isKnown) return next()
    response.set('WWW-Authenticate', 'Bearer')
    send(response, 401, errorBody(401, 'the API key is missing or unknown'))
  }
  const limits = [limiter('day'), limiter('minute')]

  const app = express()
  app.disable('x-powered-by')
  app.use(options.limits === 'before-auth' ? [...limits, authenticate] : [authenticate, ...limits])
  app.use(express.raw({ type: () => true, limit: '64kb' }))
  app.get('/v1/inventory', (_request, response) => send(response, 200, shop.list()))
  app.patch('/v1/inventory/:petId', ({ params, body }, response) =>
    send(response, 200, shop.update(params.petId, Buffer.isBuffer(body) ? body.toString() : '')),
  )
  app.get('/v1/pets/:petId', ({ params }, response) =>
    send(response.set(deprecationHeaders), 200, shop.pet(params.petId)),
  )
  app.get('/v1/store/orders', (_request, response) => send(response, 200, shop.orders()))
  app.use((_request, response) => send(response, 404, errorBody(404, 'there is nothing here')))
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    const { status, body } = failureOf(error)
    send(response, status, body)
  }
  app.use(onError)

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
