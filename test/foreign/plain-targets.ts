import type { AddressInfo } from 'node:net'
import fastifyLimit from '@fastify/rate-limit'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import Fastify from 'fastify'
import type { ForeignTarget } from './petstore.js'

/** So many requests in 2 s for the one credential, on both of its routes together. */
interface PlainOptions {
  readonly secret: string
  readonly limit: number
}

const windowMs = 2_000

/** Two routes on Express 5 and express-rate-limit, with the fields of its draft 8. */
export const startPlainExpress = async ({ secret, limit }: PlainOptions): Promise<ForeignTarget> => {
  const app = express()
  app.use((request, response, next) => {
    if (request.headers.authorization === `Bearer ${secret}`) next()
    else response.status(401).json({ error: 'who are you?' })
  })
  const keyGenerator = ({ headers }: express.Request) => headers.authorization ?? ''
  app.use(rateLimit({ windowMs, limit, keyGenerator, standardHeaders: 'draft-8', legacyHeaders: false }))
  app.get('/items', (_request, response) => void response.json([{ id: 1 }]))
  app.get('/search', (_request, response) => void response.json({ hits: [] }))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The same on Fastify 5 and @fastify/rate-limit; its Reset is told so many times over. */
export const startPlainFastify = async ({
  secret,
  limit,
  resetTimes = 1,
}: PlainOptions & { readonly resetTimes?: number }): Promise<ForeignTarget> => {
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== `Bearer ${secret}`) await reply.code(401).send({ error: 'who are you?' })
  })
  await app.register(fastifyLimit, {
    max: limit,
    timeWindow: windowMs,
    keyGenerator: ({ headers }) => headers.authorization ?? '',
  })
  app.addHook('onSend', async (_request, reply, body) => {
    const reset = reply.getHeader('x-ratelimit-reset')
    if (reset !== undefined) reply.header('x-ratelimit-reset', Number(reset) * resetTimes)
    return body
  })
  app.get('/items', async () => [{ id: 1 }])
  app.get('/search', async () => ({ hits: [] }))
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}
