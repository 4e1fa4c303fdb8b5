import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { RedisStore } from 'rate-limit-redis'
import { createClient } from 'redis'

const app = express()
const client = createClient({ url: process.env.REDIS_URL })
// Without a listener its client ends the process when the connection is lost.
client.on('error', () => {})
await client.connect()
const limiter = rateLimit({
  windowMs: 4_000,
  limit: 20,
  standardHeaders: 'draft-8',
  legacyHeaders: false,
  keyGenerator: (request) => request.get('X-Api-Key'),
  store: new RedisStore({ sendCommand: (...args) => client.sendCommand(args) }),
})
if (process.env.LIMITER !== 'off') app.use(limiter)
app.get('/limited', (_request, response) => response.json({ ok: true }))
app.listen(process.env.PORT, '127.0.0.1')
