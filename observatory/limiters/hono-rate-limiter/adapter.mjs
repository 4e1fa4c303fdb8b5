import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { rateLimiter } from 'hono-rate-limiter'

const app = new Hono()
if (process.env.LIMITER !== 'off')
  app.use(
    rateLimiter({
      windowMs: 4_000,
      limit: 20,
      standardHeaders: 'draft-6',
      keyGenerator: (c) => c.req.header('X-Api-Key'),
    }),
  )
app.get('/limited', (c) => c.json({ ok: true }))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
