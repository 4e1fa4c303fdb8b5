import { createServer } from 'node:http'
import { Ratelimit } from '@upstash/ratelimit'
import { Redis } from 'ioredis'

const client = new Redis(process.env.REDIS_URL)
client.on('error', () => {})
// Its client speaks HTTP with Upstash; this one hands the same commands to a Redis, whose 7.0 does not know the flag.
const redis = {
  evalsha: (hash, keys, args) => client.evalsha(hash, keys.length, ...keys, ...args),
  eval: (script, keys, args) => client.eval(script.replace(/^#!lua.*\n/, ''), keys.length, ...keys, ...args),
}
const limiter = new Ratelimit({ redis, limiter: Ratelimit.tokenBucket(20, '4 s', 20), ephemeralCache: false })
const server = createServer(async (request, response) => {
  const json = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  if (process.env.LIMITER === 'off') return json(200, { ok: true })
  try {
    const { success, limit, remaining, reset } = await limiter.limit(request.headers['x-api-key'])
    response.setHeader('X-RateLimit-Limit', limit)
    response.setHeader('X-RateLimit-Remaining', Math.max(0, remaining))
    response.setHeader('X-RateLimit-Reset', reset)
    json(success ? 200 : 429, { ok: success })
  } catch (error) {
    json(500, { error: error.message })
  }
})
server.listen(process.env.PORT, '127.0.0.1')
