import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import Limiter from 'ratelimiter'

const db = new Redis(process.env.REDIS_URL)
db.on('error', () => {})
const server = createServer((request, response) => {
  const json = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  if (process.env.LIMITER === 'off') return json(200, { ok: true })
  new Limiter({ id: request.headers['x-api-key'], db, max: 20, duration: 4_000 }).get((error, limit) => {
    if (error) return json(500, { error: error.message })
    // The headers of its readme; its example shows -1 on a refusal, which no client expects.
    response.setHeader('X-RateLimit-Limit', limit.total)
    response.setHeader('X-RateLimit-Remaining', Math.max(0, limit.remaining - 1))
    response.setHeader('X-RateLimit-Reset', limit.reset)
    if (limit.remaining) return json(200, { ok: true })
    response.setHeader('Retry-After', (limit.reset - Date.now() / 1000) | 0)
    json(429, { error: 'Rate limit exceeded' })
  })
})
server.listen(process.env.PORT, '127.0.0.1')
