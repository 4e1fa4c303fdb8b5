import { Redis } from 'ioredis'
import Koa from 'koa'
import ratelimit from 'koa-ratelimit'

const redis = new Redis(process.env.REDIS_URL)
redis.on('error', () => {})

const app = new Koa()
if (process.env.LIMITER !== 'off')
  app.use(
    ratelimit({
      driver: 'redis',
      db: redis,
      duration: 4_000,
      max: 20,
      id: (ctx) => ctx.get('X-Api-Key'),
    }),
  )
app.use((ctx) => {
  ctx.body = { ok: true }
})
app.listen(process.env.PORT, '127.0.0.1')
