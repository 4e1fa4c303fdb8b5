import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'

const storeClient = new Redis(process.env.REDIS_URL, { enableOfflineQueue: false })
storeClient.on('error', () => {})
const insuranceLimiter = new RateLimiterMemory({ points: 20, duration: 4 })

const limiter = new RateLimiterRedis({ storeClient, points: 20, duration: 4, insuranceLimiter })
const server = createServer(async (request, response) => {
  const json = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  if (process.env.LIMITER === 'off') return json(200, { ok: true })
  let result
  let status = 200
  try {
    result = await limiter.consume(request.headers['x-api-key'])
  } catch (rejected) {
    if (rejected instanceof Error) return json(500, { error: rejected.message })
    result = rejected
    status = 429
  }
  // The headers of its readme; of the wait whole seconds, as HTTP has them.
  response.setHeader('Retry-After', Math.ceil(result.msBeforeNext / 1000))
  response.setHeader('X-RateLimit-Limit', 20)
  response.setHeader('X-RateLimit-Remaining', result.remainingPoints)
  response.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + result.msBeforeNext) / 1000))
  json(status, { ok: status === 200 })
})
server.listen(process.env.PORT, '127.0.0.1')
