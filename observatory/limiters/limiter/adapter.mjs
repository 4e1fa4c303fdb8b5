import { createServer } from 'node:http'
import { RateLimiter } from 'limiter'

const limiters = new Map()
const limiterOf = (key) => {
  if (!limiters.has(key)) limiters.set(key, new RateLimiter({ tokensPerInterval: 20, interval: 4_000 }))
  return limiters.get(key)
}
const server = createServer((request, response) => {
  const limiter = limiterOf(request.headers['x-api-key'])
  if (process.env.LIMITER !== 'off' && !limiter.tryRemoveTokens(1)) {
    const seconds = Math.max(1, Math.ceil(limiter.getWaitTime(1) / 1000))
    response.writeHead(429, { 'Retry-After': String(seconds) })
    response.end('Too many requests\n')
    return
  }
  response.end('Accepted\n')
})
server.listen(process.env.PORT, '127.0.0.1')
