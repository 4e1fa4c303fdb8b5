import { createServer } from 'node:http'
import RateLimiter from 'async-ratelimiter'
import { Redis } from 'ioredis'

const db = new Redis(process.env.REDIS_URL)
db.on('error', () => {})
const limiter = new RateLimiter({ db, max: 20, duration: 4_000 })
const server = createServer(async (request, response) => {
  const json = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  if (process.env.LIMITER === 'off') return json(200, { ok: true })
  try {
    const limit = await limiter.get({ id: request.headers['x-api-key'] })
    response.setHeader('X-Rate-Limit-Limit', limit.total)
    response.setHeader('X-Rate-Limit-Remaining', Math.max(0, limit.remaining - 1))
    response.setHeader('X-Rate-Limit-Reset', limit.reset)
    json(limit.remaining ? 200 : 429, { ok: Boolean(limit.remaining) })
  } catch (error) {
    json(500, { error: error.message })
  }
})
server.listen(process.env.PORT, '127.0.0.1')
