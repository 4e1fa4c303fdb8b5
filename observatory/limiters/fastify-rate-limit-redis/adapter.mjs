import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'
import { Redis } from 'ioredis'

const app = Fastify()
// The two settings that its readme recommends.
const redis = new Redis(process.env.REDIS_URL, { connectTimeout: 500, maxRetriesPerRequest: 1 })
redis.on('error', () => {})
if (process.env.LIMITER !== 'off')
  await app.register(rateLimit, {
    max: 20,
    timeWindow: 4_000,
    redis,
    keyGenerator: (request) => request.headers['x-api-key'],
  })
app.get('/limited', () => ({ ok: true }))
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
