import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'

const app = Fastify()
if (process.env.LIMITER !== 'off')
  await app.register(rateLimit, {
    max: 20,
    timeWindow: 4_000,
    keyGenerator: (request) => request.headers['x-api-key'],
  })
app.get('/limited', () => ({ ok: true }))
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
