import Koa from 'koa'
import ratelimit from 'koa-ratelimit'

const app = new Koa()
if (process.env.LIMITER !== 'off')
  app.use(
    ratelimit({
      driver: 'memory',
      db: new Map(),
      duration: 4_000,
      max: 20,
      id: (ctx) => ctx.get('X-Api-Key'),
    }),
  )
app.use((ctx) => {
  ctx.body = { ok: true }
})
app.listen(process.env.PORT, '127.0.0.1')
